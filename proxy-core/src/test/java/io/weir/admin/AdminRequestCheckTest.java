package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AdminConfig;
import io.weir.config.TlsConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminRequestCheckTest {

    private static final AdminRequestCheck CHECK = new AdminRequestCheck(new AdminConfig(
            "Admin.test",
            0,
            null,
            Set.of("https://front.example.org"),
            Set.of("Weir.", "2001:DB8:0::1"),
            TlsConfig.OFF,
            Set.of()));

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 9545, http://127.0.0.1:9545, true",
        "127.0.0.1, 9545, http://localhost:9545, true",
        "127.0.0.1, 9545, http://[::1]:9545, true",
        "127.0.0.1, 9545, https://localhost:9545, true",
        "::1, 9545, http://[::1]:9545, true",
        "127.0.0.1, 9545, http://admin.test:9545, true",
        "127.0.0.1, 9545, http://weir:9545, true",
        "127.0.0.1, 9545, http://[2001:db8::1]:9545, true",
        "127.0.0.1, 80, http://localhost, true",
        "127.0.0.1, 443, https://localhost, true",
        "127.0.0.1, 9545, https://front.example.org, true",
        "10.0.0.7, 9545, http://10.0.0.7:9545, true",
        "2001:db8::7, 9545, http://[2001:db8::7]:9545, true",
        "10.0.0.7, 9545, http://localhost:9545, false",
        "127.0.0.1, 9545, http://localhost:9546, false",
        "127.0.0.1, 9545, http://rebound.example:9545, false",
        "127.0.0.1, 9545, https://front.example.org:9545, false",
        "127.0.0.1, 9545, http://[2001:db8::2]:9545, false",
        "127.0.0.1, 9545, http://localhost:9545/, false",
        "127.0.0.1, 9545, http://localhost, false",
        "127.0.0.1, 9545, null, false"
    })
    void onlyPagesOfTheListenerItselfAndNamedOnesAreItsOwn(String local, int port, String origin, boolean allowed)
            throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(local), port);
        assertThat(CHECK.allowsPages(List.of(origin), address)).isEqualTo(allowed);
    }

    @Test
    void twoOriginsAreRejectedAndNoneIsAllowed() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9545);
        assertThat(CHECK.allowsPages(List.of(), address)).isTrue();
        assertThat(CHECK.allowsPages(List.of("http://localhost:9545", "http://localhost:9545"), address))
                .isFalse();
    }
}
