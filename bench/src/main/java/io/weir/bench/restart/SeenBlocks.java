package io.weir.bench.restart;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ChainLog;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The blocks and logs that a client knows, of a chain that only grows. Confined to one thread. */
final class SeenBlocks {

    private static final int MAX_SHOWN = 10;

    private final BitSet blocks = new BitSet();
    private final Map<Long, BitSet> logs = new HashMap<>();
    private long from = Long.MAX_VALUE;

    /** Notes that the client need not know anything up to a block. Only the first time counts. */
    void beginAfter(Block block) {
        if (from == Long.MAX_VALUE) {
            from = block.number() + 1;
        }
    }

    void block(Block block) {
        blocks.set(Math.toIntExact(block.number()));
    }

    void log(Block block, int index) {
        logs.computeIfAbsent(block.number(), number -> new BitSet()).set(index);
    }

    /** Returns what is missing up to a block, the newest first; empty if nothing is. */
    String missing(Block head) {
        List<String> missing = new ArrayList<>();
        for (Block at = head; at != null && at.number() >= from; at = at.parent()) {
            if (!blocks.get(Math.toIntExact(at.number()))) {
                missing.add("block " + at);
            }
            BitSet seen = logs.getOrDefault(at.number(), new BitSet());
            for (ChainLog log : at.logs()) {
                if (!seen.get(log.index())) {
                    missing.add(log.toString());
                }
            }
        }
        int size = missing.size();
        return String.join(", ", missing.subList(0, Math.min(size, MAX_SHOWN)))
                + (size > MAX_SHOWN ? " and " + (size - MAX_SHOWN) + " more" : "");
    }
}
