package io.weir.config.load;

import io.weir.config.AddressBlock;
import io.weir.config.Folders;
import io.weir.config.ServerConfig;
import io.weir.config.ServerConfig.Transport;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.net.Inet6Address;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of {@code server}. */
final class ServerConfigReader {

    static final TextRule HOST =
            TextRule.matching("[A-Za-z0-9._:%-]{1,255}", "an address or host name, such as 127.0.0.1 or ::");
    static final String ORIGIN_PATTERN = "https?://([a-z0-9.-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?";
    /** Origins of pages that are not served over HTTP: browser extensions and applications made of web pages. */
    private static final String OTHER_ORIGIN_PATTERN =
            "(?!https?:)[a-z][a-z0-9+.-]{0,31}://[A-Za-z0-9._-]{0,253}(:[0-9]{1,5})?";

    static final TextRule CORS_ORIGIN = TextRule.matching(
            ORIGIN_PATTERN + "|" + OTHER_ORIGIN_PATTERN + "|null|\\*",
            "an origin as browsers send it, such as https://app.example.org, or *");
    private static final TextRule HEADER_NAME = TextRule.matching(
            "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}", "the name of a header, such as X-Client-Version, or *");
    private static final TextRule ALLOWED_HOST = new TextRule(
            ServerConfigReader::isHost,
            "a host name without a port, an address, a block of addresses such as 10.0.0.0/8, or *");
    private static final TextRule ADDRESS_BLOCK = new TextRule(
            text -> AddressBlock.parse(text) != null,
            "an address or a block of them, such as 10.0.0.5, 10.0.0.0/8 or fd00::/8");
    private static final TextRule FILE = new TextRule(SharedRules::isPath, "the path of a file");
    private static final TextRule FOLDER = new TextRule(SharedRules::isPath, "the path of a folder");
    private static final TextRule HEALTH_PATH = TextRule.matching(
            "/|(/(?!(v3|ws)(/|$))[A-Za-z0-9._~-]{1,63}){1,8}",
            "a path such as /health, of letters, digits and ._~- and without the parts v3 and ws");
    static final int MAX_PORT = 65_535;

    private ServerConfigReader() {}

    static ServerConfig read(Block server, Folders folders, TlsConfigReader tls) {
        ServerConfig config = new ServerConfig(
                server.setting("host").text(HOST),
                server.setting("port").number(0, MAX_PORT),
                server.setting("threads").number(0, 1024),
                server.setting("transport").word(Transport.class),
                (int) server.setting("max-body").bytes("1 KiB", "1 GiB"),
                server.setting("max-batch").number(1, 1_000_000),
                (int) server.setting("max-header").bytes("1 KiB", "1 MiB"),
                server.setting("max-connections").number(1, 10_000_000),
                server.setting("idle").millis("1 s", "1 d"),
                server.setting("write-timeout").millis("100 ms", "1 h"),
                server.setting("header-timeout").millis("100 ms", "1 h"),
                server.setting("request-timeout").millis("100 ms", "1 h"),
                server.setting("call-timeout").millis("10 ms", "1 h"),
                server.setting("drain").millis("0 s", "1 h"),
                server.setting("drain-delay").millis("0 s", "1 h"),
                server.setting("health-path").textOrNull(HEALTH_PATH),
                load(server),
                cors(server.block("cors")),
                isEnabled(server.block("compression")),
                blocks(server.setting("trusted-proxies")),
                accessLog(server.block("access-log"), folders),
                hosts(server.setting("hosts")),
                data(server.setting("data"), folders),
                tls.listener(server.block("tls")),
                isEnabled(server.block("http2")));
        server.end();
        return config;
    }

    /** Reads the hosts that a listener serves. */
    static Set<String> hosts(Setting setting) {
        return Set.copyOf(setting.texts(ALLOWED_HOST));
    }

    private static @Nullable Path data(Setting setting, Folders folders) {
        String folder = setting.textOrNull(FOLDER);
        return folder == null ? null : folders.written(folder);
    }

    private static boolean isEnabled(Block block) {
        boolean enabled = block.setting("enabled").flag();
        block.end();
        return enabled;
    }

    private static @Nullable Path accessLog(Block log, Folders folders) {
        String file = log.setting("file").textOrNull(FILE);
        log.end();
        return file == null ? null : folders.written(file);
    }

    private static boolean isHost(String text) {
        boolean six = text.startsWith("[") && text.endsWith("]");
        return text.matches("\\*|[A-Za-z0-9_.-]{1,253}")
                || AddressBlock.parse(text) != null
                || (six && AddressBlock.address(text.substring(1, text.length() - 1)) instanceof Inet6Address);
    }

    /** Returns the addresses and blocks of addresses in a list. */
    static List<AddressBlock> blocks(Setting list) {
        return list.texts(ADDRESS_BLOCK).stream()
                .map(AddressBlock::parse)
                .filter(Objects::nonNull)
                .toList();
    }

    private static ServerConfig.Cors cors(Block cors) {
        ServerConfig.Cors config = new ServerConfig.Cors(
                Set.copyOf(cors.setting("origins").texts(CORS_ORIGIN)),
                cors.setting("headers").texts(HEADER_NAME));
        cors.end();
        return config;
    }

    private static ServerConfig.Load load(Block server) {
        return new ServerConfig.Load(
                server.setting("bytes-in-flight").bytesOrAuto("1 MiB", "1024 GiB", HeapShare.ofProcess()),
                server.setting("calls-in-flight").number(1, 10_000_000),
                server.setting("streams-in-flight").number(0, 1_000_000),
                server.setting("max-connections-per-address").number(0, 10_000_000),
                server.setting("max-head-bytes-per-address").bytes("0 B", "1024 GiB"));
    }
}
