package io.weir.chain;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Highest block of a network that is known to be final. It only rises, unless it proves wrong. Thread-safe. */
public final class FinalizedHeight {

    private static final long UNKNOWN = -1;

    private final AtomicLong number = new AtomicLong(UNKNOWN);
    private final AtomicReference<@Nullable Anchor> anchor = new AtomicReference<>();

    /**
     * Final block with a known hash. While it is canonical, no final block was replaced. Immutable.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     */
    public record Anchor(long number, String hash) {}

    /** Returns whether a block can no longer be replaced. */
    public boolean covers(long block) {
        return block <= number.get();
    }

    /** Returns the block's number; -1 if none is known. */
    public long number() {
        return number.get();
    }

    /** Notes that a block is final. */
    public void raise(long block) {
        number.accumulateAndGet(block, Math::max);
    }

    /** Returns the highest final block with a known hash; null if there is none. */
    public @Nullable Anchor anchor() {
        return anchor.get();
    }

    /** Notes the hash of a block, if that block is final. */
    public void anchor(long block, String hash) {
        if (covers(block)) {
            anchor.accumulateAndGet(
                    new Anchor(block, hash), (before, now) -> before == null || before.number < block ? now : before);
        }
    }

    /** Forgets everything, because the chain was replaced below the block. */
    public void forget() {
        number.set(UNKNOWN);
        anchor.set(null);
    }
}
