package io.weir.testing.chain;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is canonical at one moment, and what a node knows beside it. Immutable.
 *
 * @param version grows with each change of the chain
 * @param blocks the canonical ones, from number 0 up
 * @param finalized the number of the newest final block
 * @param places of all transactions in canonical blocks, by hash
 * @param dropped blocks that were canonical, by hash; empty where the node forgets them
 * @param pending texts of transactions that are in no canonical block any more, by hash; empty where the node forgets them
 */
public record ChainState(
        long version,
        List<TestBlock> blocks,
        long finalized,
        Map<String, Place> places,
        Map<String, TestBlock> dropped,
        Map<String, String> pending,
        Map<String, TestBlock> byHash) {

    /** Where a transaction stands. */
    public record Place(TestBlock block, int index) {}

    static ChainState of(
            long version,
            List<TestBlock> blocks,
            long finalized,
            Map<String, TestBlock> dropped,
            Map<String, String> pending) {
        Map<String, Place> places = new HashMap<>();
        Map<String, TestBlock> byHash = new HashMap<>();
        for (TestBlock block : blocks) {
            byHash.put(block.hash(), block);
            for (int i = 0; i < block.transactions().size(); i++) {
                places.put(block.transactions().get(i).hash().hex(), new Place(block, i));
            }
        }
        return new ChainState(
                version, List.copyOf(blocks), finalized, places, Map.copyOf(dropped), Map.copyOf(pending), byHash);
    }

    /** What held when this block was the newest one. */
    public ChainState upTo(long number) {
        return of(version, blocks.subList(0, (int) number + 1), Math.min(finalized, number), Map.of(), Map.of());
    }

    /** The number of the newest block. */
    public long head() {
        return blocks.size() - 1L;
    }

    /** The canonical block of a number, or null where there is none yet. */
    public @Nullable TestBlock at(long number) {
        return number < 0 || number >= blocks.size() ? null : blocks.get((int) number);
    }

    /** The block of a hash that the node knows, or null. */
    public @Nullable TestBlock find(String hash) {
        TestBlock block = byHash.get(hash);
        return block == null ? dropped.get(hash) : block;
    }

    /** Whether a block is canonical. */
    public boolean isCanonical(TestBlock block) {
        return block.equals(at(block.number()));
    }

    /** The hashes of the canonical blocks. */
    public Set<String> hashes() {
        return byHash.keySet();
    }
}
