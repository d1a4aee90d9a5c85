package io.weir.wallet.testing;

import io.weir.wallet.approval.Request;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.MissingNode;

/** Requests of callers at 192.0.2.7. Thread-safe. */
public final class TestRequests {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private TestRequests() {}

    /** A request of one caller, with an id that no other has. */
    public static Request one() {
        return of("approval" + COUNT.incrementAndGet(), null, 1);
    }

    /**
     * A request with these callers.
     *
     * @param requestId null where they gave none
     */
    public static Request of(String id, @Nullable String requestId, int callers) {
        Request request = new Request(id, "demo", requestId, "");
        for (int caller = 0; caller < callers; caller++) {
            request.join(call(address()), false);
        }
        return request;
    }

    /** A call that comes from an address. */
    public static TestCall call(Optional<InetAddress> address) {
        return new TestCall(
                "wallet_invokeSnap", "demo", MissingNode.getInstance(), Runnable::run, null, true, List.of(), address);
    }

    private static Optional<InetAddress> address() {
        try {
            return Optional.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 7}));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
