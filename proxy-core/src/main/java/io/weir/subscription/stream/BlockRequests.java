package io.weir.subscription.stream;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one search for blocks: one by its hash, and several of a gap at the same time by their numbers. Confined to one event
 * loop.
 */
final class BlockRequests {

    /** Blocks of a gap that are requested at the same time. */
    private static final int MAX_AHEAD = 16;

    private final StreamSource source;
    private final Map<String, StreamBlock> fetched;
    /** Numbers of blocks of a gap that were requested by number and have not come. */
    private final Set<Long> ahead = new HashSet<>();

    private long nextAhead;
    /** The block that was requested by its hash last. */
    private @Nullable String asked;

    /** Search that requests blocks. Confined to the event loop. */
    interface Search {

        /** Returns whether it has ended, so that later answers do not count. */
        boolean isOver();

        /** Handles that a block which it asked for by its hash is at hand. */
        void came();

        /** Goes on with the blocks at hand. */
        void go();
    }

    /**
     * @param fetched receives the blocks, by their hashes
     * @param head the number of the block at which the search begins
     */
    BlockRequests(StreamSource source, Map<String, StreamBlock> fetched, long head) {
        this.source = source;
        this.fetched = fetched;
        this.nextAhead = head - 1;
    }

    /**
     * Requests blocks by their numbers, because their hashes are not known before their children come.
     *
     * @param wanted the number of the block that the search needs now
     * @param last the number above which they are
     */
    void askAhead(Search search, long wanted, long last) {
        nextAhead = Math.min(nextAhead, wanted - 1);
        while (!search.isOver() && nextAhead > last && ahead.size() < MAX_AHEAD) {
            long number = nextAhead--;
            ahead.add(number);
            source.fetchAt(number, block -> tookAhead(search, number, block));
        }
    }

    private void tookAhead(Search search, long number, @Nullable StreamBlock block) {
        ahead.remove(number);
        if (search.isOver()) {
            return;
        }
        if (block != null && block.link().number() == number) {
            fetched.put(block.link().hash(), block);
        }
        search.go();
    }

    /**
     * Returns a block if it is at hand; otherwise requests it.
     *
     * @param none runs if no node gives it
     */
    @Nullable
    StreamBlock have(Search search, String hash, long number, Runnable none) {
        StreamBlock known = fetched.get(hash);
        if (known == null && !hash.equals(asked) && !ahead.contains(number)) {
            asked = hash;
            source.fetch(hash, number, block -> took(search, hash, number, block, none));
        }
        return known;
    }

    private void took(Search search, String hash, long number, @Nullable StreamBlock block, Runnable none) {
        if (search.isOver()) {
            return;
        }
        boolean right = block != null
                && block.link().hash().equals(hash)
                && block.link().number() == number;
        if (block != null && right) {
            fetched.put(hash, block);
            search.came();
        } else {
            none.run();
        }
    }
}
