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

    /** Returns the agreement after another upstream named a block. */
    Agreement with(long number) {
        return number <= upTo || number < linkedTo ? this : new Agreement(linkedTo, number, below);
    }

    /**
     * Returns the agreement after the blocks above an ancestor were replaced.
     *
     * @param others whether another upstream named the new blocks than the earlier ones
     */
    Agreement above(long ancestor, boolean others) {
        return new Agreement(linkedTo, others ? ancestor : Math.min(upTo, ancestor), Math.min(below, ancestor));
    }

    /**
     * Returns the agreement after newer blocks came without a link to those up to an ancestor.
     *
     * @param gaps whether there was a gap before
     */
    Agreement beyondGap(long ancestor, long newLinkedTo, boolean gaps) {
        long kept = gaps ? below : upTo;
        return new Agreement(newLinkedTo, -1, Math.min(kept, ancestor));
    }

    Agreement linkedTo(long lower) {
        return new Agreement(Math.min(linkedTo, lower), upTo, below);
    }
}
