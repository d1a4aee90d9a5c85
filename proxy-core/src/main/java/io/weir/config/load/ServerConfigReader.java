package io.weir.config.load;

import io.weir.config.ServerConfig;
import io.weir.config.ServerConfig.Transport;
import io.weir.config.setting.Block;
import io.weir.config.setting.TextRule;
import java.util.Set;

/** Reads {@code server}. */
final class ServerConfigReader {

    static final TextRule HOST =
            TextRule.matching("[A-Za-z0-9._:%-]{1,255}", "an address or host name, such as 127.0.0.1 or ::");
    static final String ORIGIN_PATTERN = "https?://([a-z0-9.-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?";
    static final TextRule CORS_ORIGIN = TextRule.matching(
            ORIGIN_PATTERN + "|\\*", "an origin as browsers send it, such as https://app.example.org, or *");
    static final int MAX_PORT = 65_535;

    private ServerConfigReader() {}

    static ServerConfig read(Block server) {
        ServerConfig config = new ServerConfig(
                server.setting("host").text(HOST),
                server.setting("port").number(0, MAX_PORT),
                server.setting("threads").number(0, 1024),
                server.setting("transport").word(Transport.class),
                (int) server.setting("max-body").bytes("1 KiB", "1 GiB"),
                server.setting("max-batch").number(1, 1_000_000),
                (int) server.setting("max-header").bytes("1 KiB", "1 MiB"),
                (int) server.setting("max-request-line").bytes("256 B", "1 MiB"),
                (int) server.setting("max-frame").bytes("1 KiB", "1 GiB"),
                server.setting("max-connections").number(1, 10_000_000),
                server.setting("max-pipelined").number(1, 100_000),
                server.setting("idle").millis("1 s", "1 d"),
                server.setting("write-timeout").millis("100 ms", "1 h"),
                server.setting("header-timeout").millis("100 ms", "1 h"),
                server.setting("request-timeout").millis("100 ms", "1 h"),
                server.setting("call-timeout").millis("10 ms", "1 h"),
                server.setting("drain").millis("0 s", "1 h"),
                load(server),
                cors(server.block("cors")));
        server.end();
        return config;
    }

    private static ServerConfig.Cors cors(Block cors) {
        ServerConfig.Cors config = new ServerConfig.Cors(
                Set.copyOf(cors.setting("origins").texts(CORS_ORIGIN)),
                cors.setting("max-age").millis("0 s", "1 d"));
        cors.end();
        return config;
    }

    private static ServerConfig.Load load(Block server) {
        return new ServerConfig.Load(
                server.setting("bytes-in-flight").bytes("1 MiB", "1024 GiB"),
                server.setting("calls-in-flight").number(1, 10_000_000),
                server.setting("calls-per-connection").number(1, 1_000_000),
                server.setting("max-connections-per-address").number(0, 10_000_000));
    }
}
