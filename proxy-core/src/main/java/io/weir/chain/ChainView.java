package io.weir.chain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The newest blocks of one network's canonical chain: which hash has which number. Thread-safe.
 *
 * <p>The blocks hang together without a gap, each by its parent's hash, so that all of them are canonical as long as the newest
 * one is. What does not hang together with them is not taken in; a newest block that leaves some of them behind is a
 * reorganisation, and those who listen are told of it before anybody can ask about the new blocks.
 */
public final class ChainView {

    /** The most blocks that are known at once. */
    public static final int MAX_BLOCKS = 256;

    /**
     * A block at its place. It is another one once the chain has left that place, also where the same block comes back.
     *
     * @param stamp tells it from others at the same place
     */
    public record Slot(BlockLink block, long stamp) {}

    /**
     * What is known, lowest first.
     *
     * @param namedBy the ids of the upstreams that named the newest block as canonical
     * @param agreed the highest of the blocks that several upstreams named, or named a later one of
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

    /** Tells a listener of reorganisations from now on. */
    public void listen(ReorgListener listener) {
        listeners.add(listener);
    }

    /** The block at a height, or null where none is known. */
    public @Nullable Slot at(long number) {
        return state.at(number);
    }

    /** The hash of the block at a height, or null where it is not known. */
    public @Nullable String hash(long number) {
        State now = state;
        Slot slot = now.at(number);
        if (slot != null) {
            return slot.block().hash();
        }
        Slot child = now.at(number + 1);
        return child == null ? null : child.block().parentHash();
    }

    /** The block with this hash, or null where none is known. */
    public @Nullable Slot find(String hash) {
        for (Slot slot : state.slots()) {
            if (slot.block().hash().equals(hash)) {
                return slot;
            }
        }
        return null;
    }

    /** The number of the newest block; -1 where none is known. */
    public long top() {
        return state.top();
    }

    /** How many blocks are known. */
    public int size() {
        return state.slots().size();
    }

    /** Whether an upstream named the newest block as canonical, so that it has all of these. */
    public boolean isNamedBy(String upstreamId) {
        return state.namedBy().contains(upstreamId);
    }

    /** Whether several upstreams named the block at a height as canonical, itself or with a later one. */
    public boolean isAgreed(long number) {
        return number <= state.agreed();
    }

    /** Who named the newest block as canonical. */
    public Set<String> namedBy() {
        return state.namedBy();
    }

    /** Takes another upstream's word that this block is the canonical one at its height; leaves it where that is another. */
    public synchronized void agree(long number, String hash) {
        if (number > state.agreed() && hash.equals(hash(number))) {
            state = new State(state.slots(), state.namedBy(), number);
        }
    }

    /**
     * Takes in the newest block, with as many of those before it as are needed to reach a block that is known.
     *
     * @param branch the newest block first, each followed by its parent
     * @param upstreamId who named it
     * @return whether they hang together with what is known; where not, nothing has changed
     */
    public synchronized boolean attach(List<BlockLink> branch, String upstreamId) {
        for (int i = 0; i < branch.size(); i++) {
            Slot known = state.at(branch.get(i).number());
            if (known != null && known.block().equals(branch.get(i))) {
                join(branch.subList(0, i), known.block().number(), upstreamId);
                return true;
            }
        }
        BlockLink last = branch.get(branch.size() - 1);
        Slot parent = state.at(last.number() - 1);
        if (parent != null && parent.block().isParentOf(last)) {
            join(branch, last.number() - 1, upstreamId);
            return true;
        }
        return false;
    }

    /** Begins anew with these blocks, where nothing is known of those before them that stayed. */
    public void restart(List<BlockLink> branch, String upstreamId) {
        restart(branch, upstreamId, -1);
    }

    /**
     * Begins anew with these blocks: how they hang together with those before is not known. Where they stand beside known ones,
     * that is a reorganisation deeper than could be followed.
     *
     * @param stayed the number of a block that is known to be canonical still; -1 where none is
     */
    public synchronized void restart(List<BlockLink> branch, String upstreamId, long stayed) {
        long before = state.top();
        List<Slot> slots = new ArrayList<>();
        append(slots, branch);
        if (branch.get(branch.size() - 1).number() <= before) {
            tell(new Reorg(before, branch.get(0).number(), stayed));
        }
        state = new State(bounded(slots), Set.of(upstreamId), -1);
    }

    /** Takes in a block that stands right before the lowest known one; leaves any other. */
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

    private void join(List<BlockLink> above, long ancestor, String upstreamId) {
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
            tell(new Reorg(
                    before.top(), above.isEmpty() ? ancestor : above.get(0).number(), ancestor));
        }
        // Who named the newest block before named the ancestor with it, and so does who names this one now.
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

    private void tell(Reorg reorg) {
        listeners.forEach(listener -> listener.reorganised(reorg));
    }
}
