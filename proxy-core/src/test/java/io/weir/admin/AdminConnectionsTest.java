package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class AdminConnectionsTest {

    private final Counter closed = new Counter();
    private final AdminConnections connections = new AdminConnections(3, closed);

    /** A connection from an address. */
    private static final class From extends EmbeddedChannel {

        private final String address;

        From(String address) {
            this.address = address;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            try {
                return new InetSocketAddress(InetAddress.getByName(address), 1);
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    private EmbeddedChannel open(String address) {
        EmbeddedChannel connection = new From(address);
        connections.add(connection);
        return connection;
    }

    private void request(EmbeddedChannel connection) {
        connections.begin(connection);
        connections.end(connection);
    }

    @Test
    void upToTheBoundNothingIsClosed() {
        EmbeddedChannel first = open("10.0.0.1");
        EmbeddedChannel second = open("10.0.0.1");
        second.close();
        open("10.0.0.1");
        open("10.0.0.1");
        assertThat(first.isOpen()).isTrue();
        assertThat(closed.getCount()).isZero();
    }

    @Test
    void theConnectionWithTheOldestLastRequestIsClosedFirst() {
        EmbeddedChannel first = open("10.0.0.1");
        EmbeddedChannel second = open("10.0.0.1");
        open("10.0.0.1");
        request(first);
        EmbeddedChannel fourth = open("10.0.0.1");
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
        assertThat(fourth.isOpen()).isTrue();
        assertThat(closed.getCount()).isEqualTo(1);
    }

    @Test
    void aConnectionThatWaitsForAnAnswerIsClosedLast() {
        EmbeddedChannel first = open("10.0.0.1");
        EmbeddedChannel second = open("10.0.0.1");
        EmbeddedChannel third = open("10.0.0.1");
        connections.begin(first);
        connections.begin(second);
        open("10.0.0.1");
        assertThat(third.isOpen()).isFalse();
        connections.end(second);
        open("10.0.0.1");
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void connectionsThatAllWaitForAnswersStillYieldToNewOnes() {
        EmbeddedChannel first = open("10.0.0.1");
        connections.begin(first);
        connections.begin(open("10.0.0.1"));
        connections.begin(open("10.0.0.1"));
        EmbeddedChannel fourth = open("10.0.0.1");
        assertThat(first.isOpen()).isFalse();
        assertThat(fourth.isOpen()).isTrue();
    }

    @Test
    void theAddressWithTheMostConnectionsLosesOneAlthoughItsRequestIsNewer() {
        EmbeddedChannel other = open("10.0.0.1");
        EmbeddedChannel many = open("10.0.0.2");
        EmbeddedChannel more = open("10.0.0.2");
        request(many);
        open("10.0.0.3");
        assertThat(other.isOpen()).isTrue();
        assertThat(more.isOpen()).isFalse();
        assertThat(many.isOpen()).isTrue();
    }

    @Test
    void theAddressesOfOneIpv6NetworkCountTogether() {
        EmbeddedChannel other = open("2001:db8:0:1::1");
        EmbeddedChannel first = open("2001:db8::1");
        open("2001:db8::ffff:2");
        open("10.0.0.3");
        assertThat(other.isOpen()).isTrue();
        assertThat(first.isOpen()).isFalse();
    }
}
