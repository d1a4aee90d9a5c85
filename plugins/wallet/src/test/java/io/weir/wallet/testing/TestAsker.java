package io.weir.wallet.testing;

import io.weir.wallet.approval.Asker;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a request for approval. Immutable.
 *
 * @param requestId null where they gave none
 */
public record TestAsker(String id, @Nullable String requestId, int callers) implements Asker {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    public String address() {
        return "192.0.2.7";
    }

    /** One caller, with an id that no other has. */
    public static TestAsker one() {
        return new TestAsker("approval" + COUNT.incrementAndGet(), null, 1);
    }
}
