package io.weir.config.load;

import io.weir.config.BatchConfig;
import io.weir.config.Folders;
import io.weir.config.ServedData;
import io.weir.config.UpstreamConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reader of a network's {@code upstreams}, which inherit from {@code defaults.upstream}. */
final class UpstreamConfigReader {

    private static final TextRule URL = new TextRule(
            UpstreamConfigReader::isNodeUrl,
            "http://…, https://…, or a scheme that a plugin brings, such as devnet:default");
    private static final TextRule URL_OR_WS_URL = new TextRule(URL.test(), URL.rule() + "; or a ws-url in its place");
    private static final TextRule WS_URL = new TextRule(text -> isUrl(text, Set.of("ws", "wss")), "ws://… or wss://…");
    private static final String LEARNED = "learned";
    private static final TextRule STATE_FROM =
            TextRule.matching("learned|all|head-[1-9][0-9]{0,11}", "learned, all, or such as head-128");
    private static final TextRule LOGS_FROM =
            TextRule.matching("learned|0|[1-9][0-9]{0,11}", "learned, or the number of a block");
    private static final TextRule TAG = TextRule.matching("[\\x21-\\x7e]{1,64}", "a word without spaces");
    private static final TextRule HEADER_VALUE = TextRule.matching(
            "|[\\x21-\\x7e]([\\x20-\\x7e\\t]{0,8190}[\\x21-\\x7e])?", "a header value: printable ASCII, no line ends");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern OPAQUE_PORT = Pattern.compile("[0-9]+(/.*)?");

    /** Headers that the proxy writes itself. Another value would change the end of a request or its meaning. */
    private static final Set<String> OWN_HEADERS = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "sec-websocket-extensions",
            "sec-websocket-key",
            "sec-websocket-protocol",
            "sec-websocket-version",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final URI NOWHERE = URI.create("none:wrong");

    private UpstreamConfigReader() {}

    static Map<String, UpstreamConfig> readAll(Block upstreams, Block defaults, Folders folders) {
        Map<String, UpstreamConfig> read = new LinkedHashMap<>();
        upstreams.entries(defaults).forEach((id, upstream) -> {
            if (!SharedRules.ID.test().test(id)) {
                upstream.wrongName(SharedRules.ID.rule());
            }
            read.put(id, read(id, upstream, folders, false));
        });
        return Collections.unmodifiableMap(read);
    }

    /** Returns whether all upstreams are hosted. */
    static boolean areHosted(Block upstreams, Block defaults) {
        Collection<Block> entries = upstreams.entries(defaults).values();
        return !entries.isEmpty()
                && entries.stream()
                        .allMatch(upstream -> upstream.setting("preset").is(HostedPreset.WORD));
    }

    /** Reads the defaults of upstreams. */
    static void readTemplate(Block defaults, Folders folders) {
        read("", defaults, folders, true);
    }

    private static UpstreamConfig read(String id, Block written, Folders folders, boolean template) {
        boolean hosted = written.setting("preset").wordOrNull(List.of(HostedPreset.WORD)) != null;
        Block upstream = hosted ? written.over(HostedPreset.upstream()) : written;
        Setting wsUrlSetting = upstream.setting("ws-url");
        URI url = url(upstream.setting("url"), wsUrlSetting);
        URI wsUrl = wsUrl(wsUrlSetting);
        UpstreamConfig config = new UpstreamConfig(
                id,
                url,
                wsUrl,
                upstream.setting("prefer").word(UpstreamConfig.Preference.class),
                upstream.setting("subscribe").flag(),
                upstream.setting("weight").number(1, 1_000_000),
                upstream.setting("tier").number(0, 1000),
                headers(upstream.block("headers")),
                upstream.setting("tags").texts(TAG),
                upstream.setting("max-connections").number(1, 100_000),
                upstream.setting("connect-timeout").millis("10 ms", "10 m"),
                upstream.setting("timeout").millis("10 ms", "1 h"),
                upstream.setting("idle").millis("100 ms", "1 d"),
                (int) upstream.setting("max-response").bytes("1 KiB", "1 GiB"),
                streamFrom(upstream.setting("stream-from")),
                upstream.setting("gzip").flag(),
                batch(upstream.block("batch")),
                serves(upstream),
                upstream.setting("transactions").word(UpstreamConfig.Transactions.class),
                upstream.setting("null-checks").number(0, 60_000),
                BudgetConfigReader.read(upstream.block("budget")),
                TlsConfigReader.node(
                        upstream.block("tls"),
                        folders,
                        template || UpstreamConfig.isSecured(url) || UpstreamConfig.isSecured(wsUrl)));
        upstream.end();
        return config;
    }

    private static int streamFrom(Setting setting) {
        int bytes = (int) setting.bytes("0 B", "1 GiB");
        return bytes == 0 ? Integer.MAX_VALUE : bytes;
    }

    private static ServedData serves(Block upstream) {
        boolean archive = upstream.setting("archive").flag();
        Setting stateFrom = upstream.setting("state-from");
        String state = stateFrom.text(STATE_FROM);
        Setting logsFrom = upstream.setting("logs-from");
        String logs = logsFrom.text(LOGS_FROM);
        if (archive && !(state.equals(LEARNED) && logs.equals(LEARNED))) {
            upstream.setting("archive").wrong("false beside state-from or logs-from: an archive has everything");
        }
        return new ServedData(
                upstream.setting("methods").texts(NetworkConfigReader.METHOD),
                archive || state.equals("all") ? ServedData.ALL : number(state.replace("head-", "")),
                archive ? 0 : number(logs));
    }

    private static long number(String text) {
        return text.isEmpty() || text.equals(LEARNED) ? ServedData.LEARNED : Long.parseLong(text);
    }

    private static BatchConfig batch(Block batch) {
        BatchConfig config = new BatchConfig(
                batch.setting("enabled").flag(),
                batch.setting("size").number(1, 1000),
                batch.setting("wait").millis("1 ms", "10 s"),
                batch.setting("timeout").millis("10 ms", "1 h"));
        batch.end();
        return config;
    }

    /** Returns the URL; null if the node has only a WebSocket. */
    private static @Nullable URI url(Setting setting, Setting wsUrl) {
        if (setting.isNull() && !wsUrl.isNull()) {
            return null;
        }
        String text = setting.secret().text(setting.isNull() ? URL_OR_WS_URL : URL);
        return text.isEmpty() ? NOWHERE : URI.create(text);
    }

    private static @Nullable URI wsUrl(Setting setting) {
        String text = setting.secret().textOrNull(WS_URL);
        return text == null ? null : URI.create(text);
    }

    /** Returns headers, whose values are secrets. */
    static Map<String, String> headers(Block block) {
        Map<String, String> headers = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        block.settings().forEach((name, setting) -> {
            setting.secret();
            if (!TOKEN.matcher(name).matches()) {
                // The name is hidden: "Authorization: Bearer …" as a name is an easy mistake.
                setting.wrongIn(block, "header names of letters, digits and hyphens, each with its value after =");
                return;
            }
            if (OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                setting.wrongName("another header: this one is the proxy's own");
            } else if (!names.add(name)) {
                setting.wrongName("each header once, in whatever case");
            }
            headers.put(name, setting.text(HEADER_VALUE));
        });
        return Collections.unmodifiableMap(headers);
    }

    private static boolean isNodeUrl(String text) {
        URI uri = parse(text);
        if (uri == null || uri.getScheme() == null) {
            return false;
        }
        return switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "http", "https" -> isUrl(text, Set.of("http", "https"));
            case "ws", "wss" -> false;
            // `localhost:8545` parses as a URL with the scheme `localhost`.
            default -> !OPAQUE_PORT.matcher(uri.getSchemeSpecificPart()).matches();
        };
    }

    private static boolean isUrl(String text, Set<String> schemes) {
        URI uri = parse(text);
        return uri != null
                && uri.getScheme() != null
                && schemes.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                && uri.getHost() != null
                && uri.getPort() != 0
                && uri.getPort() <= ServerConfigReader.MAX_PORT
                && uri.getRawFragment() == null;
    }

    private static @Nullable URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
