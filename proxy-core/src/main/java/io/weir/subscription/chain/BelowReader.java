package io.weir.subscription.chain;

import io.weir.chain.BlockLink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the blocks before the first one of a stream, of which nobody is told. Many nodes forget a branch when it is replaced, and
 * nothing would then show where a reorganisation begins that goes below the first block. So the blocks are requested by number,
 * several at a time. One that does not fit the block above is requested by its hash. Confined to one event loop.
 */
final class BelowReader {

    /** Blocks that are read. */
    private static final int COUNT = 32;

    /** Blocks that are requested at the same time. */
    private static final int AT_ONCE = 16;

    private final HeaderSource source;
    private final ToldChain told;
    private final BooleanSupplier over;
    private final Map<Long, BlockLink> read = new HashMap<>();
    /** Numbers of the blocks that were requested and have not come. */
    private final Set<Long> asked = new HashSet<>();

    private final long end;
    private long next;
    /** The hash that was requested last. */
    private @Nullable String askedHash;

    /**
     * @param told receives the blocks
     * @param over returns whether the stream does not need them any more
     */
    BelowReader(HeaderSource source, ToldChain told, BooleanSupplier over) {
        this.source = source;
        this.told = told;
        this.over = over;
        this.next = told.lowest().number() - 1;
        this.end = Math.max(-1, next - COUNT);
    }

    /** Requests the next blocks by their numbers. */
    void read() {
        while (!over.getAsBoolean() && next > end && asked.size() < AT_ONCE) {
            long number = next--;
            asked.add(number);
            source.fetchAt(number, block -> took(number, block));
        }
    }

    private void took(long number, @Nullable StreamBlock block) {
        asked.remove(number);
        if (block != null && block.link().number() == number) {
            read.put(number, block.link());
        }
        link();
        read();
    }

    /** Adds what fits the lowest block. */
    private void link() {
        while (!over.getAsBoolean() && !told.isCut() && !told.isFull()) {
            BlockLink lowest = told.lowest();
            long number = lowest.number() - 1;
            if (number <= end || asked.contains(number)) {
                return;
            }
            BlockLink block = read.remove(number);
            if (block == null || !block.hash().equals(lowest.parentHash())) {
                ask(lowest.parentHash(), number);
                return;
            }
            told.extendBelow(block);
        }
    }

    private void ask(String hash, long number) {
        if (hash.equals(askedHash)) {
            return;
        }
        askedHash = hash;
        asked.add(number);
        source.fetch(hash, number, block -> took(number, block));
    }
}
