package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {

    @ParameterizedTest
    @CsvSource({
        "http://node.example,            false, node.example, 80,   node.example,      /",
        "HTTPS://node.example/v3/key,    true,  node.example, 443,  node.example,      /v3/key",
        "https://node.example:443/?a=b,  true,  node.example, 443,  node.example,      /?a=b",
        "http://node.example:8545/a%20b, false, node.example, 8545, node.example:8545, /a%20b",
        "http://[::1]:8545/,             false, ::1,          8545, [::1]:8545,        /",
        "http://node.example/ä#part,     false, node.example, 80,   node.example,      /%C3%A4",
    })
    void aUrlSaysWhereANodeIs(String url, boolean tls, String host, int port, String header, String target) {
        assertThat(NodeAddress.ofHttp(URI.create(url)))
                .isEqualTo(new NodeAddress(tls, host, port, header, target, null));
    }

    @ParameterizedTest
    @CsvSource({
        "http://user@node.example,          Basic dXNlcjo=",
        "http://user:p%C3%A4ss@node.example, Basic dXNlcjpww6Rzcw==",
        "http://:token@node.example,        Basic OnRva2Vu",
    })
    void aUserInTheUrlBecomesAHeader(String url, String header) {
        NodeAddress address = NodeAddress.ofHttp(URI.create(url));
        assertThat(address.authorization()).isEqualTo(header);
        assertThat(address.hostHeader()).isEqualTo("node.example");
    }

    @Test
    void anAddressShowsNothingOfItself() {
        assertThat(NodeAddress.ofHttp(URI.create("http://user:secret@node.example/key")))
                .hasToString("NodeAddress");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws://node.example", "devnet:default", "http:///path", "node.example"})
    void anyOtherUrlIsRefused(String url) {
        assertThatThrownBy(() -> NodeAddress.ofHttp(URI.create(url))).isInstanceOf(IllegalArgumentException.class);
    }
}
