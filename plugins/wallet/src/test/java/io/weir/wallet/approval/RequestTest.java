package io.weir.wallet.approval;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wallet.testing.TestRequests;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestTest {
    private final Request request = new Request("1", "demo", null, "");

    private void join(Optional<InetAddress> address) {
        request.join(TestRequests.call(address), false);
    }

    private static Optional<InetAddress> address(int last) {
        try {
            return Optional.of(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last}));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theAddressOfARequestIsThatOfItsFirstCaller() {
        join(address(1));
        join(address(2));
        assertThat(request.address()).isEqualTo("10.0.0.1");
    }

    @Test
    void aRequestWhoseFirstCallersAddressIsNotKnownGetsNoneOfAnother() {
        join(Optional.empty());
        join(address(2));
        assertThat(request.address()).isNull();
    }
}
