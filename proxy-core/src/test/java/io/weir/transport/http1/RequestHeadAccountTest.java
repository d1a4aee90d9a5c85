package io.weir.transport.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class RequestHeadAccountTest {

    private final Budget bytes = new Budget(10_000);
    private final KeyBudgets addresses = new KeyBudgets(1_000);
    private final InetAddress client = address(1);

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private RequestHeadAccount of(InetAddress address) {
        return new RequestHeadAccount(
                bytes.reserve(), address == null ? null : addresses.of(address).reserve());
    }

    @Test
    void allConnectionsOfAnAddressShareItsBound() {
        RequestHeadAccount first = of(client);
        RequestHeadAccount second = of(client);
        assertThat(first.set(600, 0, 0)).isTrue();
        assertThat(second.set(600, 0, 0)).isFalse();
        assertThat(of(address(2)).set(600, 0, 0)).isTrue();
        first.close();
        assertThat(second.set(600, 0, 0)).isTrue();
    }

    @Test
    void aPeerWithoutABoundIsCountedInTheBytesInFlightOnly() {
        RequestHeadAccount proxy = of(null);
        assertThat(proxy.set(9_000, 0, 0)).isTrue();
        assertThat(bytes.taken()).isEqualTo(9_000);
        assertThat(proxy.set(10_001, 0, 0)).isFalse();
        proxy.close();
        assertThat(bytes.taken()).isZero();
    }

    @Test
    void everythingIsGivenBackWhateverWasCounted() {
        RequestHeadAccount account = of(client);
        for (long amount : new long[] {10, 900, 2_000, 30, 0, 999}) {
            account.set(amount, 0, 0);
        }
        assertThat(account.isEmpty()).isFalse();
        account.close();
        account.close();
        assertThat(bytes.taken()).isZero();
        assertThat(addresses.of(client).taken()).isZero();
        assertThat(account.isEmpty()).isTrue();
    }

    @Test
    void anAmountThatIsRejectedIsNotCountedForTheAddress() {
        RequestHeadAccount account = of(client);
        assertThat(account.set(300, 0, 0)).isTrue();
        bytes.take(9_500);
        assertThat(account.set(900, 0, 0)).as("over the bound in all").isFalse();
        assertThat(addresses.of(client).tryTake(700))
                .as("the rest of the address's bound")
                .isTrue();
        addresses.of(client).give(700);
        account.close();
        assertThat(addresses.of(client).taken()).isZero();
    }

    @Test
    void aClosedAccountCountsNothing() {
        RequestHeadAccount account = of(client);
        account.close();
        account.set(500, 0, 0);
        assertThat(addresses.of(client).taken()).isZero();
        assertThat(bytes.taken()).isZero();
    }

    @Test
    void fewRequestsThatWaitAreAllowedOverTheBoundAndManyAreNot() {
        bytes.take(10_000);
        RequestHeadAccount account = of(null);
        assertThat(account.set(0, 80 << 10, 0)).isTrue();
        assertThat(account.set(0, (80 << 10) + 1, 0)).isFalse();
        account.close();
        assertThat(bytes.taken()).isEqualTo(10_000);
    }
}
