package io.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

    @ParameterizedTest
    @CsvSource({
        "rpc.example.org, rpc.example.org, -1",
        "RPC.Example.ORG:8545, rpc.example.org, 8545",
        "rpc.example.org., rpc.example.org, -1",
        "rpc.example.org.:80, rpc.example.org, 80",
        "localhost:, localhost, -1",
        "127.0.0.1:0, 127.0.0.1, 0",
        "127.0.0.1.:65535, 127.0.0.1, 65535",
        "[::1], [::1], -1",
        "[0:0:0:0:0:0:0:1]:8545, [::1], 8545",
        "[2001:DB8:0::7], [2001:db8::7], -1",
        "[::ffff:127.0.0.1], 127.0.0.1, -1",
        "[::FFFF:7f00:1], 127.0.0.1, -1",
    })
    void oneHostHasOneForm(String text, String host, int port) {
        assertThat(Authority.parse(text)).isEqualTo(new Authority(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                ":",
                ":8545",
                "a:65536",
                "a:123456",
                "a:-1",
                "a:+1",
                "a:8545x",
                "a:1:2",
                "::1",
                "[",
                "[]",
                "[::1",
                "[::1]x",
                "[::1]8545",
                "[localhost]",
                "[127.0.0.1]",
                "[fe80::1%25lo]"
            })
    void anInvalidHostWithAPortIsNull(String text) {
        assertThat(Authority.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:DB8:0::1, [2001:db8::1]",
        "[2001:db8::1], [2001:db8::1]",
        "::ffff:10.0.0.7, 10.0.0.7",
        "10.0.0.7, 10.0.0.7",
        "Weir., weir",
        "fd00::/8,",
        "weir:9545,",
        "fe80::1%lo,"
    })
    void aHostFromTheConfigurationNeedsNoBrackets(String text, @Nullable String host) {
        assertThat(Authority.hostOf(text)).isEqualTo(host);
    }

    @Test
    void anAddressIsWrittenAsAHostIs() throws Exception {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 0, 7};
        assertThat(Authority.text(Inet6Address.getByAddress(null, mapped, 3))).isEqualTo("10.0.0.7");
        assertThat(Authority.text(InetAddress.getByName("10.0.0.7"))).isEqualTo("10.0.0.7");
        byte[] zoned = InetAddress.getByName("fe80::1").getAddress();
        assertThat(Authority.text(Inet6Address.getByAddress(null, zoned, 3))).isEqualTo("[fe80::1]");
    }
}
