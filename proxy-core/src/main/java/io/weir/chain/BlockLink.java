package io.weir.chain;

/**
 * Block with its hash and its parent's hash. Immutable.
 *
 * @param hash {@code 0x} and 64 digits in lower case
 * @param parentHash the parent's, in the same form
 */
public record BlockLink(long number, String hash, String parentHash) {

    /** Parent of the first block. */
    static final String NO_PARENT = "0x" + "0".repeat(64);
}
