package io.weir.chain;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Newest blocks of one network's canonical chain, with the hash of each number. Thread-safe; readers take no lock.
 *
 * <p>All known blocks are ancestors of the newest one, so all of them are canonical as long as it is. There may be gaps
 * between them. A block that is not linked to them is not added. A newest block that does not build on some of them is a
 * reorganisation. Listeners hear of it before anybody can read the new blocks.
 */
public final class ChainView {

    /** Maximum number of known blocks, of about 200 bytes each: more than lie above the final block of most. */
    static final int MAX_BLOCKS = 16_384;

    /**
     * Known blocks. Immutable.
     *
     * @param namedBy the ids of the upstreams that named the newest block as canonical
     * @param agreed the blocks that several upstreams named
     */
    private record State(CanonicalLinks links, Set<String> namedBy, Agreement agreed) {}

    /**
     * Blocks of the known ones that several upstreams named as canonical, directly or by naming a later one. The word about a
     * block counts for all blocks to which it is linked, but not for those below a gap. Immutable.
     *
     * @param linkedTo the lowest block that is linked to the newest one
     * @param upTo the highest block with an agreement that is linked to the newest one
     * @param below the highest block with an agreement among those below a gap
     */
    private record Agreement(long linkedTo, long upTo, long below) {

        /** Returns that no block is agreed. */
        static Agreement none(long linkedTo) {
            return new Agreement(linkedTo, -1, -1);
        }

        boolean covers(long number) {
            return number <= below || (number <= upTo && number >= linkedTo);
        }

        /** Returns the agreement after another upstream named a block. */
        Agreement with(long number) {
            return number <= upTo || number < linkedTo ? this : new Agreement(linkedTo, number, below);
        }

        /**
         * Returns the agreement after newer blocks came above an ancestor.
         *
         * @param before the known blocks until then
         * @param lowest the lowest height to which the newer blocks are linked: the ancestor's, unless there is a gap
         * @param others whether another upstream named the newer blocks than the earlier ones
         */
        Agreement after(CanonicalLinks before, long ancestor, long lowest, boolean others) {
            if (lowest > ancestor) {
                boolean gaps = before.knownUpTo(linkedTo - 1) >= 0;
                return new Agreement(lowest, -1, Math.min(gaps ? below : upTo, ancestor));
            }
            if (ancestor < linkedTo) {
                return new Agreement(before.linkedTo(ancestor), -1, Math.min(below, ancestor));
            }
            return new Agreement(linkedTo, others ? ancestor : Math.min(upTo, ancestor), Math.min(below, ancestor));
        }

        /** Returns the agreement after a gap was filled, so that the newest block is linked to a lower one. */
        Agreement linkedTo(long lower) {
            return new Agreement(Math.min(linkedTo, lower), upTo, below);
        }
    }

    private final int max;
    private final List<ChainListener> listeners = new CopyOnWriteArrayList<>();
    /** Numbers by hash of the blocks that have a slot. An entry may be ahead of the links, and is compared with them. */
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();

    private volatile State state;
    private long stamps = 1;
    /** Highest final block that listeners heard of; -1 if none. */
    private long finalNumber = -1;
    /** Whether several upstreams had named it. */
    private boolean finalAgreed;

    /** Creates an empty view with the default bound. */
    public ChainView() {
        this(MAX_BLOCKS);
    }

    /**
     * Creates an empty view.
     *
     * @param max the maximum number of known blocks
     */
    public ChainView(int max) {
        this.max = max;
        this.state = new State(CanonicalLinks.empty(max), Set.of(), Agreement.none(0));
    }

    /** Registers a listener of changes. */
    public void listen(ChainListener listener) {
        listeners.add(listener);
    }

    public CanonicalLinks links() {
        return state.links();
    }

    /** Returns the block at a height, or null if it is not known. */
    public @Nullable Slot at(long number) {
        return state.links().at(number);
    }

    /** Returns the hash of the block at a height, or null if it is not known. */
    public @Nullable String hash(long number) {
        return state.links().hash(number);
    }

    public boolean hasOther(long number, String hash) {
        String known = hash(number);
        return known != null && !known.equals(hash);
    }

    /** Returns the block with this hash, or null if it is not known. */
    public @Nullable Slot find(String hash) {
        Long number = numbers.get(hash);
        Slot slot = number == null ? null : at(number);
        return slot != null && slot.block().hash().equals(hash) ? slot : null;
    }

    /** Returns the number of the newest block; -1 if none is known. */
    public long top() {
        return state.links().top();
    }

    /** Returns the number of known blocks. Looks at each of them. */
    public int size() {
        return state.links().size();
    }

    /** Returns whether an upstream named the newest block as canonical, so that it has all of these. */
    public boolean isNamedBy(String upstreamId) {
        return state.namedBy().contains(upstreamId);
    }

    /** Returns whether several upstreams named the block at a height as canonical, directly or by naming a later one. */
    public boolean isAgreed(long number) {
        return state.agreed().covers(number);
    }

    /** Returns the ids of the upstreams that named the newest block as canonical. */
    public Set<String> namedBy() {
        return state.namedBy();
    }

    /** Notes that another upstream named this block as canonical. Ignored if the known block at its height is another. */
    public synchronized void agree(long number, String hash) {
        if (hash.equals(hash(number))) {
            state = new State(state.links(), state.namedBy(), state.agreed().with(number));
        }
    }

    /** Notes that another upstream named this block as the newest one. Ignored if another block is the newest. */
    public synchronized void named(BlockLink newest, String upstreamId) {
        if (newest.number() == top() && newest.hash().equals(hash(top()))) {
            replaceAbove(List.of(), top(), upstreamId);
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
            BlockLink block = branch.get(i);
            if (block.hash().equals(hash(block.number()))) {
                replaceAbove(branch.subList(0, i), block.number(), upstreamId);
                extend(block);
                return true;
            }
        }
        BlockLink last = branch.get(branch.size() - 1);
        if (last.parentHash().equals(hash(last.number() - 1))) {
            replaceAbove(branch, last.number() - 1, upstreamId);
            return true;
        }
        return false;
    }

    /**
     * Adds the newest blocks above a known one that is canonical still. There may be a gap between them.
     *
     * @param branch the newest block first, each followed by its parent; all are above the known block
     * @param stayed the number of the known block
     * @param hash its hash
     * @return whether that block is known; if not, nothing changes
     */
    public synchronized boolean resume(List<BlockLink> branch, String upstreamId, long stayed, String hash) {
        BlockLink last = branch.get(branch.size() - 1);
        boolean parent = last.number() == stayed + 1;
        if (!hash.equals(hash(stayed))
                || last.number() <= stayed
                || (parent && !last.parentHash().equals(hash))) {
            return false;
        }
        replaceAbove(branch, stayed, upstreamId);
        return true;
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
        if (branch.get(branch.size() - 1).number() <= top()) {
            replaceAll(branch, upstreamId, stayed);
        } else {
            begin(branch, upstreamId);
        }
    }

    /**
     * Replaces all blocks with these: none of the known ones is canonical any more.
     *
     * @param stayed the number of a block below them that is known to be canonical still; -1 if there is none
     */
    public synchronized void replaceAll(List<BlockLink> branch, String upstreamId, long stayed) {
        CanonicalLinks before = state.links();
        notifyOfReorg(before, branch.get(0).number(), stayed, before.knownAbove(-1), branch);
        begin(branch, upstreamId);
    }

    private void begin(List<BlockLink> branch, String upstreamId) {
        numbers.clear();
        finalNumber = -1;
        Agreement none = Agreement.none(branch.get(branch.size() - 1).number() - 1);
        state = new State(append(CanonicalLinks.empty(max), branch), Set.of(upstreamId), none);
    }

    /**
     * Adds a block that only its child named until now. Any other block is ignored. If another parent was known, then what
     * is below the block is forgotten.
     */
    public synchronized void extend(BlockLink block) {
        CanonicalLinks links = state.links();
        long number = block.number();
        if (number < links.bottom() || links.at(number) != null || !block.hash().equals(links.hash(number))) {
            return;
        }
        String below = links.hash(number - 1);
        boolean fits = below == null || below.equals(block.parentHash());
        if (!fits) {
            forget(links.links(0, number - 1));
        }
        numbers.put(block.hash(), number);
        CanonicalLinks longer = (fits ? links : links.from(number)).with(block, - ++stamps);
        Agreement agreed = fits ? state.agreed() : Agreement.none(state.agreed().linkedTo());
        boolean linked = number == agreed.linkedTo();
        state = new State(longer, state.namedBy(), linked ? agreed.linkedTo(longer.linkedTo(number)) : agreed);
    }

    /**
     * Notes that the known blocks up to a height are final, and were compared with the nodes' chain since. Listeners hear of a
     * height once, and once more when several upstreams named it.
     */
    public synchronized void settle(long number) {
        boolean agreed = number >= 0 && isAgreed(number);
        if (number > finalNumber || (number == finalNumber && agreed && !finalAgreed)) {
            finalNumber = number;
            finalAgreed = agreed;
            CanonicalLinks links = state.links();
            listeners.forEach(listener -> listener.finalized(links, number));
        }
    }

    private void replaceAbove(List<BlockLink> above, long ancestor, String upstreamId) {
        State before = state;
        CanonicalLinks links = before.links();
        boolean dropped = ancestor < links.top();
        Set<String> namedBy = new HashSet<>(dropped || !above.isEmpty() ? Set.of() : before.namedBy());
        namedBy.add(upstreamId);
        if (dropped) {
            long to = above.isEmpty() ? ancestor : above.get(0).number();
            notifyOfReorg(links, to, ancestor, links.knownAbove(ancestor), above);
            forget(links.links(ancestor + 1, links.top()));
            // Other blocks may become final in the place of those that listeners heard of.
            finalNumber = Math.min(finalNumber, ancestor);
        }
        CanonicalLinks kept = links.upTo(ancestor);
        CanonicalLinks longer = append(kept, above);
        leave(kept, longer);
        // An upstream that named the newest block also named its ancestors.
        boolean others = !before.namedBy().equals(Set.of(upstreamId));
        long lowest = above.isEmpty() ? ancestor : above.get(above.size() - 1).number() - 1;
        state = new State(longer, Set.copyOf(namedBy), before.agreed().after(links, ancestor, lowest, others));
    }

    private CanonicalLinks append(CanonicalLinks links, List<BlockLink> branch) {
        CanonicalLinks longer = links;
        for (int i = branch.size() - 1; i >= 0; i--) {
            BlockLink block = branch.get(i);
            numbers.put(block.hash(), block.number());
            longer = longer.with(block, ++stamps);
        }
        return longer;
    }

    private void leave(CanonicalLinks before, CanonicalLinks now) {
        long end = Math.min(now.bottom(), before.top() + 1);
        for (long number = before.bottom(); number < end; number++) {
            String hash = before.hash(number);
            if (hash != null) {
                numbers.remove(hash, number);
            }
        }
    }

    private void forget(List<BlockLink> blocks) {
        blocks.forEach(block -> numbers.remove(block.hash(), block.number()));
    }

    private void notifyOfReorg(CanonicalLinks before, long to, long ancestor, long replaced, List<BlockLink> added) {
        List<BlockLink> dropped = before.links(replaced, before.top());
        Reorg reorg = new Reorg(before.top(), to, ancestor, replaced, dropped, List.copyOf(added));
        listeners.forEach(listener -> listener.reorganised(reorg));
    }
}
