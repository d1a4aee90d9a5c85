package io.weir.pipeline.watch;

import io.weir.upstream.NetworkHead.ShownBlock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Blocks as nodes showed them lately, while clients follow the chain, so that their headers need not be fetched again. If the network
 * verifies, each was compared with its hash. Thread-safe.
 */
public final class ShownBlocks {

    /** As many as a stream tells at once. */
    private static final int MAX_BLOCKS = 1_024;

    private static final int MAX_BYTES = 4 << 20;

    /** A longer text is of a block with more than ten thousand transactions. */
    private static final int MAX_BYTES_OF_BLOCK = 1 << 20;

    private final Map<String, ShownBlock> byHash = new LinkedHashMap<>();
    private int bytes;
    private boolean followed;

    /** Notes whether clients follow the chain. Otherwise nothing is kept. */
    public synchronized void follow(boolean on) {
        followed = on;
        byHash.clear();
        bytes = 0;
    }

    /** Returns whether a block is wanted that is not here. */
    public synchronized boolean lacks(ShownBlock block) {
        return followed
                && block.text().length() <= MAX_BYTES_OF_BLOCK
                && !byHash.containsKey(block.link().hash());
    }

    /** Adds a block that may be told to clients, if it is wanted. */
    public synchronized void add(ShownBlock block) {
        if (!lacks(block)) {
            return;
        }
        byHash.put(block.link().hash(), block);
        bytes += block.text().length();
        while (byHash.size() > MAX_BLOCKS || bytes > MAX_BYTES) {
            take(byHash.keySet().iterator().next());
        }
    }

    /** Removes and returns a block; null if it is not here. */
    public synchronized @Nullable ShownBlock take(String hash) {
        ShownBlock taken = byHash.remove(hash);
        bytes -= taken == null ? 0 : taken.text().length();
        return taken;
    }
}
