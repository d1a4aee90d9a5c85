package io.weir.pipeline.head;

import io.weir.method.params.BlockTag;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Memory of the tags {@code safe} and {@code finalized} that the only node of a network lacks, as found recently, and the
 * depth that stands for such a tag in every network. Thread-safe.
 */
public final class FinalityMemory {

    static final long NANOS = TimeUnit.MINUTES.toNanos(1);

    private final long depth;
    private final LongSupplier clock;
    private final Map<BlockTag, AtomicLong> untilNanos = new EnumMap<>(BlockTag.class);

    /**
     * Creates an empty memory.
     *
     * @param depth blocks behind the head at which one counts as final
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public FinalityMemory(long depth, LongSupplier clock) {
        this.depth = depth;
        this.clock = clock;
        long now = clock.getAsLong();
        for (BlockTag tag : BlockTag.values()) {
            untilNanos.put(tag, new AtomicLong(now));
        }
    }

    /** Notes that no node has the tag. */
    void lacks(BlockTag tag) {
        until(tag).set(clock.getAsLong() + NANOS);
    }

    boolean isLacking(BlockTag tag) {
        return until(tag).get() - clock.getAsLong() > 0;
    }

    /** Returns the block that replaces the tag. */
    long under(long head) {
        return Math.max(0, head - depth);
    }

    private AtomicLong until(BlockTag tag) {
        return Objects.requireNonNull(untilNanos.get(tag));
    }
}
