package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Block;
import io.weir.config.setting.Checked;
import io.weir.config.setting.Setting;
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

        @About("Address of the node; required without `defaults.upstream.ws-url`. It may hold credentials and is never "
                + "shown.")
        @Setting(form = Forms.NodeUrl.class)
        @Nullable
        URI url,

        @About(
                "`hosted` saves calls at a provider that bills by the call. The settings of the upstream and the network "
                        + "win over it; it wins over the network's preset and over `defaults`.")
        @Setting(form = HostedPreset.Name.class)
        @Nullable
        String preset,

        @About("WebSocket address of the node. It may hold credentials and is never shown. With it new blocks are seen "
                + "within milliseconds, for fewer calls.")
        @Setting(form = Forms.SocketUrl.class)
        @Nullable
        URI wsUrl,

        @About("Address for calls if a node has both: `http` is `defaults.upstream.url`, whatever its scheme; `ws` is "
                + "`defaults.upstream.ws-url`. Set `ws` for nodes that answer faster there.")
        @Setting("http")
        Preference prefer,

        @About("Lets the node announce new blocks over `defaults.upstream.ws-url`, and serve clients' subscriptions "
                + "there. Disable it at providers that bill announcements, above all on chains with several blocks a "
                + "second.")
        @Setting("true")
        boolean subscribe,

        @About("Share of the calls among the nodes of the same tier. Change it for nodes of different strength.")
        @Setting(value = "1", range = "1 to 1000000")
        int weight,

        @About("Lower tiers are preferred; a higher one serves only if no lower one has a healthy node that can answer "
                + "the call. Raise it for a fallback, such as a paid provider.")
        @Setting(value = "0", range = "0 to 1000")
        int tier,

        @About("Headers of each request and of the handshake of a WebSocket, such as a provider's credentials. The "
                + "values are never shown. Headers that frame or describe a message, such as `Content-Type`, are not "
                + "allowed.")
        @Setting(value = "{}", form = Headers.class)
        Map<String, String> headers,

        @About("Words that note the purpose of a node. They have no effect.")
        @Setting(value = "[]", pattern = "[\\x21-\\x7e]{1,64}", rule = "a word without spaces")
        List<String> tags,

        @About(
                "Open connections, over all event loops; each loop may always have one. Over WebSocket, calls in flight. "
                        + "Change it with the strength of the node, or for providers that bound connections.")
        @Setting(value = "256", range = "1 to 100000")
        int maxConnections,

        @About("Longest time of one attempt; a repeatable one may end sooner while another node is left. Lower it to "
                + "fail over sooner; raise it for slow methods.")
        @Setting(value = "10 s", range = "10 ms to 1 h")
        long timeoutMillis,

        @About(
                "Largest answer of a node. Raise it for larger logs or traces; answers that are not streamed count whole "
                        + "in `server.bytes-in-flight`.")
        @Setting(value = "64 MiB", range = "1 KiB to 1 GiB")
        int maxResponseBytes,

        @About("Asks the node over HTTP for answers in gzip, at the cost of processor time on both sides. Enable it if "
                + "the network to the node is slow or its traffic is billed.")
        @Setting("false")
        boolean gzip,

        @About("Lookups that leave together as one JSON-RPC batch over HTTP.") @Setting
        BatchConfig batch,

        @Setting(path = ".") ServedData serves,

        @About("Transactions that the node finds by hash: `all`, `recent` (its index is pruned, as geth's is by "
                + "default), or `learned` by checks of null answers. Set `all` for archives, to save the checks.")
        @Setting("learned")
        Transactions transactions,

        @About(
                "Bounds on all calls to the node, probes included, in the units in which its provider bills; calls beyond"
                        + " them go to other nodes.")
        @Setting
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

    /** Returns whether a URL asks for TLS. */
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
