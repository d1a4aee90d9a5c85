package io.weir.subscription;

import io.weir.upstream.ShownBlock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Newest blocks as nodes showed them, so that the stream need not fetch them again. Thread-safe. */
final class ShownBlocks {

    private static final int MAX_BLOCKS = 8;

    /** Longer texts are not kept. They are of blocks with more than ten thousand transactions. */
    private static final int MAX_BYTES = 1 << 20;

    private final Map<String, ShownBlock> byHash = new LinkedHashMap<>();

    /** Adds a block, which nothing proves. The first text of a block stays. */
    synchronized void add(ShownBlock block) {
        if (block.text().length() <= MAX_BYTES) {
            byHash.putIfAbsent(block.link().hash(), block);
        }
        if (byHash.size() > MAX_BLOCKS) {
            byHash.remove(byHash.keySet().iterator().next());
        }
    }

    /** Removes and returns a block; null if it is not here. */
    synchronized @Nullable ShownBlock take(String hash) {
        return byHash.remove(hash);
    }

    /** Removes all blocks. */
    synchronized void clear() {
        byHash.clear();
    }
}
