package io.weir.pipeline.cache;

import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.chain.CanonicalLinks;
import io.weir.method.ResultKind;
import io.weir.pipeline.cache.NetworkTiers.TierCapacity;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Search for one network's results whose blocks became final. They are promoted, so that they go to the tiers and outlast the chain
 * view. A tier takes no result above its anchor, and few at once. So the anchors are raised first, and a search pauses while the
 * queues of the tiers are full. Thread-safe.
 */
final class FinalPromotion {

    /** Rest after a search, by the time that it took: it looks at all results. */
    private static final int REST_FACTOR = 50;

    /** Least pause of a search. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Parts of a search. The last one has no limit: a result that is dropped by the tiers stays in memory at least. */
    private static final int MAX_PARTS = 16;

    private final NetworkMemory memory;
    private final NetworkTiers tiers;
    private final LongSupplier clock;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile long restUntilNanos;

    /**
     * Blocks that became final. Immutable.
     *
     * @param purges of the store at that time
     */
    private record Search(CanonicalLinks links, long number, long purges) {}

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    FinalPromotion(NetworkMemory memory, NetworkTiers tiers, LongSupplier clock) {
        this.memory = memory;
        this.tiers = tiers;
        this.clock = clock;
        this.restUntilNanos = clock.getAsLong();
    }

    /** Begins a search, and returns at once. A call while a search runs or rests is made up for by the next one. */
    void begin(CanonicalLinks links, long number) {
        if (clock.getAsLong() - restUntilNanos < 0 || !running.compareAndSet(false, true)) {
            return;
        }
        Search search = new Search(links, number, memory.shared().store().purges());
        try {
            tiers.whenReaching(number, () -> run(search, MAX_PARTS));
        } catch (RuntimeException e) {
            running.set(false);
            throw e;
        }
    }

    private void run(Search search, int parts) {
        if (!memory.shared().executor().tryRun(0, () -> runPart(search, parts))) {
            running.set(false);
        }
    }

    private void runPart(Search search, int parts) {
        long began = clock.getAsLong();
        boolean goesOn = false;
        try {
            TierCapacity capacity = parts > 1 ? tiers.capacity() : TierCapacity.unlimited();
            promote(search, capacity);
            long pause = Math.max(PAUSE_NANOS, REST_FACTOR * (clock.getAsLong() - began));
            goesOn = capacity.isExceeded() && tiers.tryLater(() -> run(search, parts - 1), pause);
            if (capacity.isExceeded() && !goesOn) {
                promote(search, TierCapacity.unlimited());
            }
        } finally {
            restUntilNanos = clock.getAsLong() + REST_FACTOR * (clock.getAsLong() - began);
            if (!goesOn) {
                running.set(false);
            }
        }
    }

    private void promote(Search search, TierCapacity capacity) {
        Map<Long, String> whole = new HashMap<>();
        memory.shared()
                .store()
                .promoteIf(
                        memory.network(),
                        result -> isFinal(result.block(), search)
                                && capacity.tryTake(result.value().length()),
                        search.purges(),
                        result -> {
                            String hash = result.block().hash();
                            boolean block = result.kind() == ResultKind.BLOCK || result.kind() == ResultKind.RECEIPT;
                            if (block && hash != null) {
                                whole.put(result.block().number(), hash);
                            }
                        });
        // Calls by number find such a block by its height alone from now on, by the word of several nodes.
        whole.forEach((block, hash) -> memory.noteFinal(block, hash, search.purges(), SourceMarks.NONE));
    }

    private boolean isFinal(BlockRef block, Search search) {
        return block.number() <= search.number()
                && block.hash() != null
                && block.hash().equals(search.links().hash(block.number()))
                && memory.canonical().isFinal(block.number());
    }
}
