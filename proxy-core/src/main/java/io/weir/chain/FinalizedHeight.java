package io.weir.chain;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Highest block of a network that is known to be final. It only rises, unless it proves wrong. Thread-safe. */
public final class FinalizedHeight {

    private static final Known UNKNOWN = new Known(-1, 0, -1, 0);

    private final AtomicReference<Known> known = new AtomicReference<>(UNKNOWN);
    private final AtomicReference<@Nullable Anchor> anchor = new AtomicReference<>();

    /**
     * Final block with a known hash. While it is canonical, no final block was replaced. Immutable.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     */
    public record Anchor(long number, String hash) {}

    /**
     * Final block, with the one that was known before it. Immutable.
     *
     * @param stamp of the moment at which it became known
     */
    private record Known(long number, long stamp, long before, long beforeStamp) {}

    /** Returns whether a block can no longer be replaced. */
    public boolean covers(long block) {
        return block <= number();
    }

    /** Returns the block's number; -1 if none is known. */
    public long number() {
        return known.get().number();
    }

    /**
     * Returns a block that was known to be final before a moment; -1 if none is known to have been. A node that was asked
     * before its block was final may have answered for another block.
     */
    public long numberBefore(HeadMoment moment) {
        return numberBefore(known.get(), moment);
    }

    private static long numberBefore(Known now, HeadMoment moment) {
        if (now.stamp() < moment.stamp()) {
            return now.number();
        }
        return now.beforeStamp() < moment.stamp() ? now.before() : -1;
    }

    /**
     * Returns whether a block was known to be final before a moment. The first block that becomes known counts for earlier
     * moments too; otherwise no result of a network's first calls could be stored.
     */
    public boolean coveredBefore(HeadMoment moment, long block) {
        Known now = known.get();
        boolean first = now.before() < 0;
        return block <= (first ? now.number() : numberBefore(now, moment));
    }

    /**
     * Notes that a block is final.
     *
     * @param learned the present moment
     */
    public void raise(long block, HeadMoment learned) {
        known.updateAndGet(
                now -> block <= now.number() ? now : new Known(block, learned.stamp(), now.number(), now.stamp()));
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
        known.set(UNKNOWN);
        anchor.set(null);
    }
}
