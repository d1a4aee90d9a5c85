package io.weir.chain;

/**
 * Blocks of the known ones that several upstreams named as canonical, directly or by naming a later one. The word about a
 * block counts for all blocks to which it is linked, but not for those below a gap. Immutable.
 *
 * @param linkedTo the lowest block that is linked to the newest one
 * @param upTo the highest block with an agreement that is linked to the newest one
 * @param below the highest block with an agreement among those below a gap
 */
record Agreement(long linkedTo, long upTo, long below) {

    /** Returns that no block is agreed. */
    static Agreement none(long linkedTo) {
        return new Agreement(linkedTo, -1, -1);
    }

    boolean covers(long number) {
        return number <= below || (number <= upTo && number >= linkedTo);
    }

    long top() {
        return Math.max(upTo, below);
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
