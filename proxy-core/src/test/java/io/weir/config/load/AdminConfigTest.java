package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AdminConfig;
import io.weir.config.TlsConfig;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdminConfigTest {

    private static final String HASH = "2A97516C354B68848CDBD8F54A226A0A55B21ED138E207AD6C5CBB9C00AA5AEA";

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(load(NETWORK).admin())
                .isEqualTo(new AdminConfig("127.0.0.1", 9545, null, Set.of(), Set.of(), TlsConfig.OFF, Set.of()));
    }

    @Test
    void everySettingIsMapped() {
        assertThat(load(NETWORK + "admin { host = localhost, port = 1, token-sha256 = " + HASH
                                + ", origins = [\"https://admin.example.org\"], hosts = [weir, \"::1\"] }")
                        .admin())
                .isEqualTo(new AdminConfig(
                        "localhost",
                        1,
                        HASH.toLowerCase(Locale.ROOT),
                        Set.of("https://admin.example.org"),
                        Set.of("weir", "::1"),
                        TlsConfig.OFF,
                        Set.of()));
    }

    @Test
    void wrongValuesAreShownButNotTheToken() {
        assertThat(rules("admin { host = [], port = x, token-sha256 = my-token, origins = [\"*\"] }"))
                .containsExactly(
                        "admin.host: a list (expected: an address or host name, such as 127.0.0.1 or ::)",
                        "admin.port: x (expected: a whole number from 0 to 65535)",
                        "admin.token-sha256: (hidden) (expected: 64 hex digits)",
                        "admin.origins.0: \"*\" (expected: an origin as browsers send it,"
                                + " such as https://admin.example.org)");
    }

    @Test
    void thePortOfTheServerIsRejected() {
        assertThat(rules("admin.port = 8545"))
                .containsExactly("admin.port: 8545 (expected: another port than server.port)");
    }
}
