package io.weir.chain;

/**
 * A block as far as the chain goes. Immutable.
 *
 * @param hash {@code 0x} and 64 digits in lower case
 * @param parentHash that of the block before, written likewise
 */
public record BlockLink(long number, String hash, String parentHash) {

    /** Whether a block stands right behind this one. */
    boolean isParentOf(BlockLink child) {
        return child.number == number + 1 && child.parentHash.equals(hash);
    }
}
