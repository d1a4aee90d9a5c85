package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AddressCountsTest {

    private final InetAddress one = InetAddress.getLoopbackAddress();

    @Test
    void eachAddressHasItsOwnBound() throws Exception {
        InetAddress other = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        AddressCounts counts = new AddressCounts(2);
        assertThat(counts.tryAdd(one)).isTrue();
        assertThat(counts.tryAdd(one)).isTrue();
        assertThat(counts.tryAdd(one)).isFalse();
        assertThat(counts.tryAdd(other)).isTrue();
        counts.remove(one);
        assertThat(counts.tryAdd(one)).isTrue();
        assertThat(counts.addresses()).isEqualTo(2);
    }

    @Test
    void theAddressesOfOneIpv6NetworkShareABound() throws Exception {
        AddressCounts counts = new AddressCounts(1);
        assertThat(counts.tryAdd(InetAddress.getByName("2001:db8::1"))).isTrue();
        assertThat(counts.tryAdd(InetAddress.getByName("2001:db8::ffff:2"))).isFalse();
        assertThat(counts.tryAdd(InetAddress.getByName("2001:db8:0:1::1"))).isTrue();
        counts.remove(InetAddress.getByName("2001:db8::3"));
        assertThat(counts.tryAdd(InetAddress.getByName("2001:db8::4"))).isTrue();
    }

    @Test
    void anAddressWithoutAnyIsForgotten() {
        AddressCounts counts = new AddressCounts(1);
        counts.tryAdd(one);
        counts.tryAdd(one);
        counts.remove(one);
        counts.remove(one);
        assertThat(counts.addresses()).isZero();
        assertThat(counts.tryAdd(one)).isTrue();
    }

    @Test
    void zeroIsNoBoundAndCostsNoMemory() {
        AddressCounts counts = new AddressCounts(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(counts.tryAdd(one)).isTrue();
        }
        assertThat(counts.addresses()).isZero();
    }
}
