package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AdminConfig;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class AdminConfigReaderTest {

    private static final String HASH = "2A97516C354B68848CDBD8F54A226A0A55B21ED138E207AD6C5CBB9C00AA5AEA";

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(load(NETWORK).admin()).isEqualTo(new AdminConfig("127.0.0.1", 9545, null));
    }

    @Test
    void everySettingIsMapped() {
        assertThat(load(NETWORK + "admin { host = localhost, port = 1, token-sha256 = " + HASH + " }")
                        .admin())
                .isEqualTo(new AdminConfig("localhost", 1, HASH.toLowerCase(Locale.ROOT)));
    }

    @Test
    void wrongValuesAreShownButNotTheToken() {
        assertThat(rules("admin { host = [], port = x, token-sha256 = my-token }"))
                .containsExactly(
                        "admin.host: a list (expected: an address or host name, such as 127.0.0.1 or ::)",
                        "admin.port: x (expected: a whole number from 0 to 65535)",
                        "admin.token-sha256: (hidden) (expected: 64 hex digits)");
    }

    @Test
    void thePortOfTheServerIsRefused() {
        assertThat(rules("admin.port = 8545"))
                .containsExactly("admin.port: 8545 (expected: another port than server.port)");
    }
}
