package io.weir.chain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Newest blocks of one network's canonical chain, with the hash of each number. Thread-safe.
 *
 * <p>The blocks are linked by parent hashes without a gap, so all of them are canonical as long as the newest one is. A
 * block that is not linked to them is not added. A newest block that does not build on some of them is a reorganisation.
 * Listeners hear of it before anybody can read the new blocks.
 */
public final class ChainView {

    /** Maximum number of known blocks. */
    public static final int MAX_BLOCKS = 256;

    /**
     * Block at its position. The slot is replaced once the chain has left that position, even if the same block returns.
     * Immutable.
     *
     * @param stamp differs from that of any other slot at the same position
     */
    public record Slot(BlockLink block, long stamp) {}

    /**
     * Known blocks, lowest first. Immutable.
     *
     * @param namedBy the ids of the upstreams that named the newest block as canonical
     * @param agreed the highest block that several upstreams named, directly or by naming a later one
     */
    private record State(List<Slot> slots, Set<String> namedBy, long agreed) {

        static final State EMPTY = new State(List.of(), Set.of(), -1);

        @Nullable
        Slot at(long number) {
            long index = slots.isEmpty() ? -1 : number - slots.get(0).block().number();
            return index < 0 || index >= slots.size() ? null : slots.get((int) index);
        }

        long top() {
            return slots.isEmpty() ? -1 : slots.get(slots.size() - 1).block().number();
        }
    }

    private final List<ReorgListener> listeners = new CopyOnWriteArrayList<>();
    private volatile State state = State.EMPTY;
    private long stamps;

    /** Registers a listener of reorganisations. */
    public void listen(ReorgListener listener) {
        listeners.add(listener);
    }

    /** Returns the block at a height, or null if it is not known. */
    public @Nullable Slot at(long number) {
        return state.at(number);
    }

    /** Returns the hash of the block at a height, or null if it is not known. */
    public @Nullable String hash(long number) {
        State now = state;
        Slot slot = now.at(number);
        if (slot != null) {
            return slot.block().hash();
        }
        Slot child = now.at(number + 1);
        return child == null ? null : child.block().parentHash();
    }

    /** Returns the block with this hash, or null if it is not known. */
    public @Nullable Slot find(String hash) {
        for (Slot slot : state.slots()) {
            if (slot.block().hash().equals(hash)) {
                return slot;
            }
        }
        return null;
    }

    /** Returns the number of the newest block; -1 if none is known. */
    public long top() {
        return state.top();
    }

    /** Returns the number of known blocks. */
    public int size() {
        return state.slots().size();
    }

    /** Returns whether an upstream named the newest block as canonical, so that it has all of these. */
    public boolean isNamedBy(String upstreamId) {
        return state.namedBy().contains(upstreamId);
    }

    /** Returns whether several upstreams named the block at a height as canonical, directly or by naming a later one. */
    public boolean isAgreed(long number) {
        return number <= state.agreed();
    }

    /** Returns the ids of the upstreams that named the newest block as canonical. */
    public Set<String> namedBy() {
        return state.namedBy();
    }

    /** Notes that another upstream named this block as canonical. Ignored if the known block at its height is another. */
    public synchronized void agree(long number, String hash) {
        if (number > state.agreed() && hash.equals(hash(number))) {
            state = new State(state.slots(), state.namedBy(), number);
        }
    }

    /**
     * Adds the newest block, with the blocks before it down to a known block.
     *
     * @param branch the newest block first, each followed by its parent
     * @param upstreamId the upstream that named it
     * @return whether the branch is linked to the known blocks; if not, nothing changes
     */
    public synchronized boolean attach(List<BlockLink> branch, String upstreamId) {
        for (int i = 0; i < branch.size(); i++) {
            Slot known = state.at(branch.get(i).number());
            if (known != null && known.block().equals(branch.get(i))) {
                replaceAbove(branch.subList(0, i), known.block().number(), upstreamId);
                return true;
            }
        }
        BlockLink last = branch.get(branch.size() - 1);
        Slot parent = state.at(last.number() - 1);
        if (parent != null && parent.block().isParentOf(last)) {
            replaceAbove(branch, last.number() - 1, upstreamId);
            return true;
        }
        return false;
    }

    /** Replaces all blocks with these, if no earlier block is known to have stayed. */
    public void restart(List<BlockLink> branch, String upstreamId) {
        restart(branch, upstreamId, -1);
    }

    /**
     * Replaces all blocks with these, whose link to the earlier ones is unknown. If they overlap known blocks, that is a
     * reorganisation too deep to follow.
     *
     * @param stayed the number of a block that is known to be canonical still; -1 if there is none
     */
    public synchronized void restart(List<BlockLink> branch, String upstreamId, long stayed) {
        long before = state.top();
        List<Slot> slots = new ArrayList<>();
        append(slots, branch);
        if (branch.get(branch.size() - 1).number() <= before) {
            notifyListeners(new Reorg(before, branch.get(0).number(), stayed));
        }
        state = new State(bounded(slots), Set.of(upstreamId), -1);
    }

    /** Adds the block directly below the lowest known one. Any other block is ignored. */
    public synchronized void extend(BlockLink block) {
        List<Slot> slots = state.slots();
        if (!slots.isEmpty()
                && slots.size() < MAX_BLOCKS
                && block.isParentOf(slots.get(0).block())) {
            List<Slot> longer = new ArrayList<>(slots.size() + 1);
            longer.add(new Slot(block, ++stamps));
            longer.addAll(slots);
            state = new State(List.copyOf(longer), state.namedBy(), state.agreed());
        }
    }

    private void replaceAbove(List<BlockLink> above, long ancestor, String upstreamId) {
        State before = state;
        List<Slot> slots = new ArrayList<>();
        for (Slot slot : before.slots()) {
            if (slot.block().number() <= ancestor) {
                slots.add(slot);
            }
        }
        boolean dropped = slots.size() < before.slots().size();
        append(slots, above);
        Set<String> namedBy = new HashSet<>(dropped || !above.isEmpty() ? Set.of() : before.namedBy());
        namedBy.add(upstreamId);
        if (dropped) {
            notifyListeners(new Reorg(
                    before.top(), above.isEmpty() ? ancestor : above.get(0).number(), ancestor));
        }
        // An upstream that named the newest block also named its ancestors.
        boolean others = !before.namedBy().equals(Set.of(upstreamId));
        long agreed = others ? ancestor : Math.min(before.agreed(), ancestor);
        state = new State(bounded(slots), Set.copyOf(namedBy), agreed);
    }

    private void append(List<Slot> slots, List<BlockLink> branch) {
        for (int i = branch.size() - 1; i >= 0; i--) {
            slots.add(new Slot(branch.get(i), ++stamps));
        }
    }

    private static List<Slot> bounded(List<Slot> slots) {
        return List.copyOf(slots.subList(Math.max(0, slots.size() - MAX_BLOCKS), slots.size()));
    }

    private void notifyListeners(Reorg reorg) {
        listeners.forEach(listener -> listener.reorganised(reorg));
    }
}
