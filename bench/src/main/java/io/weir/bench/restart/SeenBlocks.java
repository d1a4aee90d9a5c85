package io.weir.bench.restart;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ChainLog;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The blocks and logs that a client knows, of a chain that only grows. Confined to one thread. */
final class SeenBlocks {

    private final BitSet blocks = new BitSet();
    private final Map<Long, BitSet> logs = new HashMap<>();
    private long from = Long.MAX_VALUE;
    private long newest = -1;

    /** Notes that the client need not know anything up to a block. Only the first time counts. */
    void beginAfter(Block block) {
        if (from == Long.MAX_VALUE) {
            from = block.number() + 1;
            newest = block.number();
        }
    }

    void block(Block block) {
        blocks.set(Math.toIntExact(block.number()));
        newest = Math.max(newest, block.number());
    }

    void log(Block block, int index) {
        logs.computeIfAbsent(block.number(), number -> new BitSet()).set(index);
    }

    /** Returns the number of the newest block; -1 before the beginning. */
    long newest() {
        return newest;
    }

    /** Returns what is missing up to a block; null if nothing is. */
    @Nullable
    String missing(Block head) {
        for (Block at = head; at != null && at.number() >= from; at = at.parent()) {
            if (!blocks.get(Math.toIntExact(at.number()))) {
                return "block " + at;
            }
            BitSet seen = logs.getOrDefault(at.number(), new BitSet());
            for (ChainLog log : at.logs()) {
                if (!seen.get(log.index())) {
                    return "log " + log;
                }
            }
        }
        return null;
    }
}
