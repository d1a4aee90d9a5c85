package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.config.AddressBlock;
import io.weir.transport.OpenConnections.AddOutcome;
import io.weir.transport.request.ClientAddresses;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds on the number of connections, in all and from one address. */
class OpenConnectionsTest {

    private final ClientAddresses clients =
            new ClientAddresses(List.of(Objects.requireNonNull(AddressBlock.parse("10.0.0.0/8"))));
    private final OpenConnections open = new OpenConnections(100, 2, clients::isShared);

    /** A connection from an address, without a socket. */
    private static final class From extends EmbeddedChannel {

        private final SocketAddress peer;

        From(String address) {
            peer = new InetSocketAddress(address, 40_000);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return peer;
        }
    }

    @Test
    void anAddressHasAtMostItsBoundAndAnotherOneItsOwn() {
        From first = new From("192.0.2.1");
        assertThat(open.add(first)).isEqualTo(AddOutcome.COUNTED);
        assertThat(open.add(new From("192.0.2.1"))).isEqualTo(AddOutcome.COUNTED);
        assertThat(open.add(new From("192.0.2.1"))).isEqualTo(AddOutcome.TOO_MANY_OF_ADDRESS);
        assertThat(open.add(new From("192.0.2.2"))).isEqualTo(AddOutcome.COUNTED);
        first.close();
        assertThat(open.add(new From("192.0.2.1"))).isEqualTo(AddOutcome.COUNTED);
    }

    @Test
    void theAddressesOfOneNetworkOfIpv6CountAsOne() {
        assertThat(open.add(new From("2001:db8::1"))).isEqualTo(AddOutcome.COUNTED);
        assertThat(open.add(new From("2001:db8::2"))).isEqualTo(AddOutcome.COUNTED);
        assertThat(open.add(new From("2001:db8::3"))).isEqualTo(AddOutcome.TOO_MANY_OF_ADDRESS);
        assertThat(open.add(new From("2001:db8:0:1::3"))).isEqualTo(AddOutcome.COUNTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.1", "::1", "10.1.2.3"})
    void loopbackAndTrustedProxiesHaveNoBoundOfTheirOwn(String address) {
        for (int i = 0; i < 10; i++) {
            assertThat(open.add(new From(address))).isEqualTo(AddOutcome.COUNTED);
        }
        assertThat(open.count()).isEqualTo(10);
    }
}
