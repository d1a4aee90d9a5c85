package io.weir.pipeline.range;

/**
 * Range of blocks. Immutable.
 *
 * @param from the number of the first block
 * @param to the number of the last block, which is included
 */
public record BlockRange(long from, long to) {

    /** Returns the number of blocks. */
    long length() {
        return to - from + 1;
    }

    /** Returns the first blocks of the range. */
    BlockRange first(long blocks) {
        return new BlockRange(from, from + blocks - 1);
    }

    /** Returns the range without its first blocks. */
    BlockRange after(long blocks) {
        return new BlockRange(from + blocks, to);
    }

    /** Returns the number of pieces of at most this length. */
    long pieces(long blocks) {
        return (length() - 1) / blocks + 1;
    }
}
