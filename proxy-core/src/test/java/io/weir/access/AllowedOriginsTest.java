package io.weir.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedOriginsTest {

    private static final AllowedOrigins NONE_NAMED = new AllowedOrigins(Set.of());
    private static final AllowedOrigins NAMED =
            new AllowedOrigins(Set.of("https://app.test", "chrome-extension://abc", "null"));

    @Test
    void aClientThatIsNoBrowserIsAllowed() {
        assertThat(NONE_NAMED.allow(List.of(), "localhost")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Titanoboa", "my-script/1.0", "localhost", "app.test:443"})
    void aNameThatNoBrowserSendsIsNoPage(String name) {
        assertThat(NONE_NAMED.allow(List.of(name), "localhost:8545")).isTrue();
        assertThat(NAMED.allow(List.of(name), null)).isTrue();
        assertThat(NAMED.names(List.of(name))).isFalse();
        assertThat(NONE_NAMED.allow(List.of(name, "https://evil.test"), "localhost:8545"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8545, localhost:8545, true",
        "http://LOCALHOST:8545, localhost.:8545, true",
        "https://rpc.example.org, rpc.example.org, true",
        "http://rpc.example.org, rpc.example.org, true",
        "https://rpc.example.org, rpc.example.org:443, true",
        "http://rpc.example.org, rpc.example.org:80, true",
        "http://[::1]:8545, [::1]:8545, true",
        "https://rpc.example.org, rpc.example.org:80, false",
        "https://rpc.example.org, rpc.example.org:8545, false",
        "http://localhost:3000, localhost:8545, false",
        "http://localhost, localhost:8545, false",
        "http://127.0.0.1:8545, localhost:8545, false",
        "ftp://localhost:8545, localhost:8545, false",
        "http://localhost:8545/, localhost:8545, false",
        "http://a@localhost:8545, localhost:8545, false",
        "null, null, false",
    })
    void aPageOfTheSameHostAndPortIsAllowed(String origin, String host, boolean allowed) {
        assertThat(NONE_NAMED.allow(List.of(origin), host)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.test",
                "http://localhost:3000",
                "null",
                "NULL",
                "null, null",
                "",
                "file://",
                "x, https://evil.test",
                "chrome-extension://abc",
                "https://app.test"
            })
    void aForeignPageIsRejected(String origin) {
        assertThat(NONE_NAMED.allow(List.of(origin), "localhost:8545")).isFalse();
        assertThat(NONE_NAMED.allow(List.of(origin), null)).isFalse();
    }

    @Test
    void namedOriginsAreAllowedAsTheyAreWritten() {
        assertThat(NAMED.allow(List.of("https://app.test"), "localhost")).isTrue();
        assertThat(NAMED.allow(List.of("chrome-extension://abc"), "localhost")).isTrue();
        assertThat(NAMED.allow(List.of("null"), "localhost")).isTrue();
        assertThat(NAMED.allow(List.of("http://app.test"), "localhost")).isFalse();
        assertThat(NAMED.allow(List.of("https://app.test:443"), "localhost")).isFalse();
        assertThat(NAMED.allow(List.of("chrome-extension://abcd"), "localhost")).isFalse();
    }

    @Test
    void twoOriginsAreNeverAllowed() {
        AllowedOrigins all = new AllowedOrigins(Set.of("*"));
        assertThat(all.allow(List.of("https://evil.test"), null)).isTrue();
        assertThat(all.allow(List.of("https://app.test", "https://evil.test"), null))
                .isFalse();
        assertThat(NAMED.allow(List.of("https://app.test", "https://app.test"), null))
                .isFalse();
    }
}
