package io.weir.cache;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Marks of one network's nodes. An unproven result holds the mark of the node that gave it. Revoking a mark gives the node a new
 * one, so that all results with the old mark are worthless at once, without a search. Immutable but for the marks; thread-safe.
 *
 * @param indexes of the nodes by id, from 1
 * @param current the mark of each node in use, and that of tiers: its index above a count of revocations
 */
public record SourceMarks(Map<String, Integer> indexes, AtomicIntegerArray current) {

    /** The mark of proven results, and of results whose node is not known. It is always valid. */
    public static final int NONE = 0;

    /** The index of the mark of tiers. */
    private static final int TIERS = 0;

    private static final int COUNT_BITS = 16;
    private static final int MAX_COUNT = (1 << COUNT_BITS) - 1;
    private static final int MAX_NODES = Integer.MAX_VALUE >>> COUNT_BITS;

    /** Creates the first marks of nodes with these ids. Nodes beyond the first 32,767 have none. */
    public static SourceMarks of(Collection<String> upstreamIds) {
        Map<String, Integer> indexes = new HashMap<>();
        AtomicIntegerArray current = new AtomicIntegerArray(upstreamIds.size() + 1);
        current.set(TIERS, first(TIERS));
        for (String id : upstreamIds) {
            int index = indexes.size() + 1;
            if (index <= MAX_NODES) {
                indexes.put(id, index);
                current.set(index, first(index));
            }
        }
        return new SourceMarks(Map.copyOf(indexes), current);
    }

    /** Returns the mark of a node's results from now on. */
    public int of(String upstreamId) {
        Integer index = indexes.get(upstreamId);
        return index == null ? NONE : current.get(index);
    }

    /** Returns whether results with a mark may be used. */
    public boolean isValid(int mark) {
        return mark == NONE || current.get(mark >>> COUNT_BITS) == mark;
    }

    /** Returns the mark of results from a tier that nothing proves. Any node may have given them, so each revocation ends it. */
    public int ofTiers() {
        return current.get(TIERS);
    }

    /** Makes all results that a node has given until now worthless, and those of tiers, whose node is not known. */
    public void revoke(String upstreamId) {
        Integer index = indexes.get(upstreamId);
        if (index != null) {
            revoke(index.intValue());
        }
        revoke(TIERS);
    }

    private void revoke(int index) {
        // Of 65,535 revocations the last would bring back the first results; none is that old.
        current.updateAndGet(index, mark -> (mark & MAX_COUNT) == MAX_COUNT ? first(index) : mark + 1);
    }

    /** Returns the first mark of an index; never {@link #NONE}. */
    private static int first(int index) {
        return (index << COUNT_BITS) + 1;
    }
}
