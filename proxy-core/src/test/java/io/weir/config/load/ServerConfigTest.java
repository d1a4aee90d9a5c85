package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.setting.HeapShare;
import io.weir.config.AddressBlock;
import io.weir.config.ServerConfig;
import io.weir.config.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(load(NETWORK).server())
                .isEqualTo(new ServerConfig(
                        "127.0.0.1",
                        8545,
                        0,
                        5 << 20,
                        1000,
                        10_000,
                        300_000,
                        30_000,
                        30_000,
                        30_000,
                        10_000,
                        0,
                        null,
                        new ServerConfig.Load(HeapShare.ofProcess(), 20_000, 256),
                        new ServerConfig.Cors(Set.of(), List.of()),
                        List.of(),
                        null,
                        Set.of(),
                        null,
                        TlsConfig.OFF));
    }

    @Test
    void everySettingIsMapped() {
        String text = """
                server {
                  host = "::", port = 0, threads = 3, max-body = 1 MiB, max-batch = 10
                  max-connections = 20
                  idle = 1 m, write-timeout = 7 s, request-timeout = 1.5 s, call-timeout = 40 s, drain = 0, drain-delay = 3 s, health-path = /up/now
                  bytes-in-flight = 3 GiB, calls-in-flight = 5, max-connections-per-address = 6
                  cors { origins = ["https://a.test", "*"], headers = [X-App, "*"] }
                  trusted-proxies = ["10.0.0.0/8", "::1"], access-log { file = logs/access.log }
                  hosts = [rpc.example.org, "10.0.0.0/8"], data = data/proxy
                }
                """;
        ServerConfig server = load(NETWORK + text).server();
        // Relative paths begin beside the file.
        Path folder = server.data().getParent().getParent();
        assertThat(folder).isAbsolute();
        assertThat(server)
                .isEqualTo(new ServerConfig(
                        "::",
                        0,
                        3,
                        1 << 20,
                        10,
                        20,
                        60_000,
                        7_000,
                        1_500,
                        40_000,
                        0,
                        3_000,
                        "/up/now",
                        new ServerConfig.Load(3L << 30, 5, 6),
                        new ServerConfig.Cors(Set.of("https://a.test", "*"), List.of("X-App", "*")),
                        List.of(AddressBlock.parse("10.0.0.0/8"), AddressBlock.parse("::1")),
                        folder.resolve("logs/access.log"),
                        Set.of("rpc.example.org", "10.0.0.0/8"),
                        folder.resolve("data/proxy"),
                        TlsConfig.OFF));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    host = "a b"           | "a b"      | an address or host name, such as 127.0.0.1 or ::
                    port = abc             | abc        | a whole number from 0 to 65535
                    port = 65536           | 65536      | a whole number from 0 to 65535
                    port = -1              | -1         | a whole number from 0 to 65535
                    port = 8545.5          | 8545.5     | a whole number from 0 to 65535
                    port = 99999999999999999999 | 99999999999999999999 | a whole number from 0 to 65535
                    port = null            | null       | a whole number from 0 to 65535
                    port = [1]             | a list     | a whole number from 0 to 65535
                    port { a = 1 }         | a block    | a whole number from 0 to 65535
                    threads = true         | true       | a whole number from 0 to 1024
                    max-body = 5           | 5          | a size with a unit, such as 64 KiB or 5 MiB, from 1 KiB to 1 GiB
                    max-body = 5 Mib       | 5 Mib      | a size with a unit, such as 64 KiB or 5 MiB, from 1 KiB to 1 GiB
                    max-body = 2 GiB       | 2 GiB      | a size with a unit, such as 64 KiB or 5 MiB, from 1 KiB to 1 GiB
                    max-batch = 0          | 0          | a whole number from 1 to 1000000
                    max-connections = 0    | 0          | a whole number from 1 to 10000000
                    idle = 10              | 10         | a duration with a unit, such as 250 ms or 10 s, from 1 s to 1 d
                    write-timeout = 0      | 0          | a duration with a unit, such as 250 ms or 10 s, from 100 ms to 1 h
                    bytes-in-flight = 1 B  | 1 B        | a size with a unit, such as 64 KiB or 5 MiB, from 1 MiB to 1024 GiB
                    calls-in-flight = 0    | 0          | a whole number from 1 to 10000000
                    max-connections-per-address = -1 | -1 | a whole number from 0 to 10000000
                    request-timeout = 5x   | 5x         | a duration with a unit, such as 250 ms or 10 s, from 100 ms to 1 h
                    call-timeout = 2 h     | 2 h        | a duration with a unit, such as 250 ms or 10 s, from 10 ms to 1 h
                    health-path = health   | health     | a path such as /health, of letters, digits and ._~- and without the parts v3 and ws
                    health-path = /a/      | /a/        | a path such as /health, of letters, digits and ._~- and without the parts v3 and ws
                    health-path = /a/ws    | /a/ws      | a path such as /health, of letters, digits and ._~- and without the parts v3 and ws
                    health-path = "/a?b"   | "/a?b"     | a path such as /health, of letters, digits and ._~- and without the parts v3 and ws
                    drain-delay = 5        | 5          | a duration with a unit, such as 250 ms or 10 s, from 0 s to 1 h
                    drain = "-1 s"         | "-1 s"     | a duration with a unit, such as 250 ms or 10 s, from 0 s to 1 h
                    """)
    void aWrongValueIsShownWithItsRule(String setting, String shown, String rule) {
        String name = setting.split("[ =]", 2)[0];
        assertThat(rules("server { " + setting + " }"))
                .containsExactly("server." + name + ": " + shown + " (expected: " + rule + ")");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.test/",
                "a.test",
                "HTTPS://A.TEST",
                "https://a.test\\r\\nX: y",
                "chrome-extension://a/b",
                "nul",
                ""
            })
    void anInvalidOriginIsRejected(String origin) {
        assertThat(rules("server.cors.origins = [\"" + origin + "\"]"))
                .singleElement()
                .asString()
                .startsWith("server.cors.origins.0: ")
                .endsWith("(expected: an origin as browsers send it, such as https://app.example.org, or *)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "file://",
                "capacitor://localhost",
                "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn",
                "safari-web-extension://3B5A4A9C-7A1D-4B8F-9E0A-1C2D3E4F5A6B"
            })
    void originsOfPagesThatHttpDoesNotServeCanBeNamed(String origin) {
        assertThat(load(NETWORK + "server.cors.origins = [\"" + origin + "\"]")
                        .server()
                        .cors()
                        .origins())
                .containsExactly(origin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X-A, X-B", "X-A:", "x a", "ü"})
    void aHeaderOfPreflightsIsAName(String name) {
        assertThat(rules("server.cors.headers = [\"" + name + "\"]"))
                .singleElement()
                .asString()
                .endsWith(" (expected: the name of a header, such as X-Client-Version, or *)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "weir", "rpc.example.org", "10.0.0.5", "0.0.0.0/0", "fd00::/8", "::1", "[::1]"})
    void aHostIsANameAnAddressOrABlock(String host) {
        assertThat(load(NETWORK + "server.hosts = [\"" + host + "\"]").server().hosts())
                .containsExactly(host);
        assertThat(load(NETWORK + "admin.hosts = [\"" + host + "\"]").admin().hosts())
                .containsExactly(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "weir:8545", "http://weir", "*.example.org", "[weir]", "[::1]:80", "10.0.0.1/8", "a b"})
    void anInvalidHostIsRejected(String host) {
        String rule =
                " (expected: a host name without a port, a domain such as .svc, an address, a block such as 10.0.0.0/8, or *)";
        assertThat(rules("server.hosts = [\"" + host + "\"], admin.hosts = [\"" + host + "\"]"))
                .hasSize(2)
                .allMatch(line -> line.endsWith(rule));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1/8",
                "10.0.0.0/33",
                "::/129",
                "localhost",
                "10.0.0.0/",
                "10.0.0",
                "[::1]",
                "fe80::1%eth0",
                ""
            })
    void anInvalidAddressIsRejected(String block) {
        assertThat(rules("server.trusted-proxies = [\"" + block + "\"]"))
                .singleElement()
                .asString()
                .startsWith("server.trusted-proxies.0: ")
                .endsWith("(expected: an address or a block of them, such as 10.0.0.5, 10.0.0.0/8 or fd00::/8)");
    }

    @Test
    void wrongSettingsOfTheInnerBlocksAreShown() {
        assertThat(rules("server.cors { origins = 1 }, server.access-log { file = \"/\" }"))
                .hasSize(2)
                .allMatch(rule -> rule.startsWith("server.cors.") || rule.startsWith("server.access-log."));
    }

    @Test
    void anUnknownSettingIsShownWithTheNearestOne() {
        assertThat(rules("server.max-bodi = 5 MiB"))
                .containsExactly("server.max-bodi: unknown setting"
                        + " (expected: a known setting; did you mean server.max-body?)");
    }

    @Test
    void aTextInThePlaceOfTheBlockIsNotShown() {
        assertThat(rules("server = secret")).containsExactly("server: (hidden) (expected: a block { … })");
    }
}
