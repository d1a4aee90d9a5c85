package io.weir.transport.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.config.AddressBlock;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {

    private static final String PEER = "10.0.0.1";

    private final ClientAddresses clients =
            new ClientAddresses(List.of(AddressBlock.parse("10.0.0.0/8"), AddressBlock.parse("fd00::/8")));

    private static InetAddress address(String text) {
        return AddressBlock.address(text);
    }

    private InetAddress client(String name, String... values) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String value : values) {
            headers.add(name, value);
        }
        return clients.client(address(PEER), headers);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        for=192.0.2.1                                    | 192.0.2.1
        For="192.0.2.1:8080";proto=https                 | 192.0.2.1
        by=10.0.0.1;for=192.0.2.1;host=a                 | 192.0.2.1
        for="[2001:db8::1]:4711"                         | 2001:db8::1
        for="[2001:db8::1]"                              | 2001:db8::1
        for="[2001:db8::1]:_port"                        | 2001:db8::1
        for=198.51.100.9, for=192.0.2.1                  | 192.0.2.1
        for=192.0.2.1, for=10.1.2.3, for="[fd00::7]:1"   | 192.0.2.1
        for=10.1.2.3, for=10.1.2.4                       | 10.1.2.3
        for=_hidden, for=192.0.2.1                       | 192.0.2.1
        host="a,b;for=1.1.1.1", for=192.0.2.1            | 192.0.2.1
        for=192.0.2.1;host="a\\"b,c"                      | 192.0.2.1
        for=192.0.2.1, for=unknown                       | 10.0.0.1
        for=192.0.2.1, for=_hidden                       | 10.0.0.1
        for=192.0.2.1;for=192.0.2.2                      | 10.0.0.1
        for=example.org                                  | 10.0.0.1
        for="192.0.2.1                                   | 10.0.0.1
        for=192.0.2.1:port                               | 10.0.0.1
        for=999.0.2.1                                    | 10.0.0.1
        proto=https                                      | 10.0.0.1
        for=                                             | 10.0.0.1
        for="                                            | 10.0.0.1
        """)
    void forwardedIsReadFromTheRight(String header, String client) {
        assertThat(client("Forwarded", header)).isEqualTo(address(client));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        192.0.2.1                          | 192.0.2.1
        198.51.100.9, 192.0.2.1, 10.5.5.5  | 192.0.2.1
        2001:db8::1,fd00::2                | 2001:db8::1
        [2001:db8::1]:99                   | 2001:db8::1
        192.0.2.1:99                       | 192.0.2.1
        junk, 192.0.2.1                    | 192.0.2.1
        192.0.2.1, junk                    | 10.0.0.1
        192.0.2.1,                         | 10.0.0.1
        ::ffff:192.0.2.1                   | 192.0.2.1
        """)
    void theOlderHeaderIsReadLikewise(String header, String client) {
        assertThat(client("X-Forwarded-For", header)).isEqualTo(address(client));
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(client("X-Forwarded-For", "192.0.2.1", "10.0.0.9")).isEqualTo(address("192.0.2.1"));
        assertThat(client("Forwarded", "for=192.0.2.1", "for=192.0.2.2")).isEqualTo(address("192.0.2.2"));
    }

    @Test
    void forwardedIsUsedWhereBothAreThereEvenWhereItIsBroken() {
        HttpHeaders headers =
                new DefaultHttpHeaders().add("X-Forwarded-For", "192.0.2.2").add("Forwarded", "for=192.0.2.1");
        assertThat(clients.client(address(PEER), headers)).isEqualTo(address("192.0.2.1"));
        headers.set("Forwarded", "broken");
        assertThat(clients.client(address(PEER), headers)).isEqualTo(address(PEER));
    }

    @Test
    void fromAnyOtherPeerTheyMeanNothing() {
        HttpHeaders headers =
                new DefaultHttpHeaders().add("X-Forwarded-For", "192.0.2.2").add("Forwarded", "for=192.0.2.1");
        InetAddress stranger = address("203.0.113.5");
        assertThat(clients.client(stranger, headers)).isEqualTo(stranger);
        assertThat(clients.client(address(PEER), new DefaultHttpHeaders())).isEqualTo(address(PEER));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noHeaderFails(long seed) {
        Random random = new Random(seed);
        String letters = "for=;,\"\\[]:_ 1.aF%";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder value = new StringBuilder("for=");
            for (int length = random.nextInt(20); length > 0; length--) {
                value.append(letters.charAt(random.nextInt(letters.length())));
            }
            assertThat(client("Forwarded", value.toString()))
                    .as("seed %d: %s", seed, value)
                    .isNotNull();
            assertThat(client("X-Forwarded-For", value.toString()))
                    .as("seed %d: %s", seed, value)
                    .isNotNull();
        }
    }

    @Test
    void blocksHoldWhatBeginsWithTheirBits() {
        AddressBlock block = AddressBlock.parse("192.0.2.128/25");
        assertThat(block.contains(address("192.0.2.200"))).isTrue();
        assertThat(block.contains(address("192.0.2.1"))).isFalse();
        assertThat(block.contains(address("::1"))).isFalse();
        assertThat(AddressBlock.parse("0.0.0.0/0").contains(address("1.2.3.4"))).isTrue();
        assertThat(AddressBlock.parse("::1").contains(address("::2"))).isFalse();
    }
}
