package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.config.ChainPreset.HostedPreset;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node. Its URL and headers may contain credentials, so {@link #toString} shows neither. Immutable.
 *
 * @param id its name in logs, metrics and answers
 * @param url {@code http(s)://…}, or a scheme of a plugin; null if the node has only a WebSocket
 * @param wsUrl {@code ws(s)://…}, or null if it has none
 * @param maxConnections open at once, of all event loops together, but at least one per loop. A loop has one WebSocket,
 *     for which this limits the calls in flight
 */
public record UpstreamConfig(
        String id,

        @About("Address of the node; required without `defaults.upstream.ws-url`. Credentials in it are never shown.")
        @Setting(form = Forms.NodeUrl.class)
        @Nullable
        URI url,

        @About("Settings for a kind of provider: `hosted` saves calls where each is billed. Own settings win.")
        @Setting(form = HostedPreset.Name.class)
        @Nullable
        String preset,

        @About("WebSocket address, to see new blocks within milliseconds. Credentials in it are never shown.")
        @Setting(form = Forms.SocketUrl.class)
        @Nullable
        URI wsUrl,

        @About("Address for calls if a node has both: `http` is the URL, `ws` one WebSocket for each event loop.")
        @Setting("http")
        Preference prefer,

        @About("Lets the node announce blocks and serve subscriptions over WebSocket, which some providers bill.")
        @Setting("true")
        boolean subscribe,

        @About("Share of the calls among the nodes of the same tier.") @Setting(value = "1", range = "1 to 1000000")
        int weight,

        @About("Lower tiers are preferred; a higher one serves if no lower one has a healthy node for the call.")
        @Setting(value = "0", range = "0 to 1000")
        int tier,

        @About("Headers of requests and WebSocket handshakes, such as credentials; the values are never shown.")
        @Setting(value = "{}", form = Headers.class)
        Map<String, String> headers,

        @About("Words that note the purpose of a node, without effect.")
        @Setting(value = "[]", pattern = "[\\x21-\\x7e]{1,64}", rule = "a word without spaces")
        List<String> tags,

        @About("Open connections, or calls in flight over WebSocket; each event loop may always have one.")
        @Setting(value = "256", range = "1 to 100000")
        int maxConnections,

        @About("Longest time of one attempt; a repeatable one may end sooner while another node is left.")
        @Setting(value = "10 s", range = "10 ms to 1 h")
        long timeoutMillis,

        @About("Largest collected answer, counted in `server.bytes-in-flight`; streamed results have no bound.")
        @Setting(value = "64 MiB", range = "1 KiB to 1 GiB")
        int maxResponseBytes,

        @About("Asks the node over HTTP for gzip, which costs processor time on both sides.") @Setting("false")
        boolean gzip,

        @About("Lookups in one JSON-RPC batch over HTTP while the node is busy; 1 sends each alone.")
        @Setting(value = "100", path = "batch.size", range = "1 to 1000")
        int batchSize,

        @Setting(path = ".") ServedData serves,

        @About("Transactions found by hash: `recent` means a pruned index, `learned` checks null answers.")
        @Setting("learned")
        Transactions transactions,

        @About("Bounds on calls to the node, in the units of its provider. Calls beyond them go to others.") @Setting
        BudgetConfig budget,

        @About("TLS of the node's `https://` and `wss://` addresses.") @Setting
        UpstreamTlsConfig tls)
        implements Checked {

    private static final Set<String> SECURED = Set.of("https", "wss");

    /** The transactions that a node finds by hash. */
    public enum Transactions {
        /** All transactions: its null answers are never checked. */
        ALL,
        /** Only transactions of recent blocks: its null answers are always checked. */
        RECENT,
        /** Not configured: the proxy finds it out by checking null answers. */
        LEARNED
    }

    /** The URL for calls to a node with two URLs. */
    public enum Preference {
        /** The {@code url}, whatever its scheme. */
        HTTP,
        /** The {@code ws-url}. */
        WS
    }

    /**
     * Returns the URL for calls.
     *
     * @throws IllegalStateException if there is no URL, which a loaded configuration never lacks
     */
    public URI address() {
        URI address = wsUrl != null && (url == null || prefer == Preference.WS) ? wsUrl : url;
        if (address == null) {
            throw new IllegalStateException(id + ": no URL (expected: url or ws-url)");
        }
        return address;
    }

    /** Returns whether it is a provider that bills by the call. */
    public boolean isHosted() {
        return HostedPreset.WORD.equals(preset);
    }

    /** Returns whether one of its URLs asks for TLS. */
    public boolean usesTls() {
        return isSecured(url) || isSecured(wsUrl);
    }

    public static boolean isSecured(@Nullable URI url) {
        return url != null && SECURED.contains(url.getScheme().toLowerCase(Locale.ROOT));
    }

    @Override
    public void check(Block block) {
        if (!block.isTemplate() && !usesTls()) {
            tls.checkUnused(block.lookInto("tls"));
        }
    }

    @Override
    public String toString() {
        return "UpstreamConfig[" + id + "]";
    }
}
