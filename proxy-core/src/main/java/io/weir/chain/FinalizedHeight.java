package io.weir.chain;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The highest block of a network that is known to be final. It only rises, until it is found to be wrong. Thread-safe. */
public final class FinalizedHeight {

    private static final long UNKNOWN = -1;

    private final AtomicLong number = new AtomicLong(UNKNOWN);
    private final AtomicReference<@Nullable Anchor> anchor = new AtomicReference<>();

    /**
     * A final block whose hash is known: while it is canonical, no final block was replaced. Immutable.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     */
    public record Anchor(long number, String hash) {}

    /** Whether a block cannot be replaced any more. */
    public boolean covers(long block) {
        return block <= number.get();
    }

    /** The block's number; -1 where none is known. */
    public long number() {
        return number.get();
    }

    /** Takes a block that is final. */
    public void raise(long block) {
        number.accumulateAndGet(block, Math::max);
    }

    /** The highest final block whose hash is known; null where none is. */
    public @Nullable Anchor anchor() {
        return anchor.get();
    }

    /** Takes the hash of a block, where that is final. */
    public void anchor(long block, String hash) {
        if (covers(block)) {
            anchor.accumulateAndGet(
                    new Anchor(block, hash), (before, now) -> before == null || before.number < block ? now : before);
        }
    }

    /** Forgets what is known: the chain was replaced below it. */
    public void forget() {
        number.set(UNKNOWN);
        anchor.set(null);
    }
}
