package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.limit.Budget.KeyBudgets;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class KeyBudgetsTest {

    @Test
    void eachHolderHasABudgetOfItsOwn() {
        KeyBudgets budgets = new KeyBudgets(2);
        Reservation one = budgets.of("one").reserve();
        assertThat(one.tryAdd(2)).isTrue();
        assertThat(budgets.of("one").tryTake(1)).isFalse();
        assertThat(budgets.of("other").tryTake(1)).isTrue();
        one.close();
        assertThat(budgets.of("one").tryTake(2)).isTrue();
    }

    @Test
    void theAddressesOfOneIpv6NetworkAreOneHolder() throws Exception {
        InetAddress network = network("2001:db8::1");
        assertThat(network("2001:db8::ffff:2")).isEqualTo(network);
        assertThat(network("2001:db8:0:1::1")).isNotEqualTo(network);
        assertThat(network("192.0.2.1")).isEqualTo(InetAddress.getByName("192.0.2.1"));
    }

    private static InetAddress network(String address) throws Exception {
        return KeyBudgets.network(InetAddress.getByName(address));
    }
}
