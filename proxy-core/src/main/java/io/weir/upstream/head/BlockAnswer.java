package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.upstream.ShownBlock;
import org.jspecify.annotations.Nullable;

/**
 * Answer of one node to a request for a block. Immutable.
 *
 * @param number the block's; -1 if the node showed none
 * @param hash the block's; empty if the node named none
 * @param parentHash the parent's; empty if the node named none
 * @param seconds the time of the block, since 1970; 0 if the node named none
 * @param block with its text; null if the node did not name its hash and its parent's
 */
public record BlockAnswer(
        Kind kind,
        long number,
        String hash,
        String parentHash,
        long seconds,
        @Nullable ShownBlock block) {

    /** Kind of an answer. */
    public enum Kind {
        /** The node showed a block. */
        SHOWN,
        /** The node has no such block. */
        NONE,
        /** The node answered with an error. */
        REFUSED,
        /** The node answered with something that is no block. */
        UNREADABLE,
        /** The node could not be asked, or did not answer. */
        FAILED
    }

    /** Returns an answer without a block. */
    public static BlockAnswer without(Kind kind) {
        return new BlockAnswer(kind, -1, "", "", 0, null);
    }

    /** Returns an answer that names the newest block by its number alone, or none if that is -1. */
    static BlockAnswer ofNumber(long number) {
        return new BlockAnswer(number < 0 ? Kind.FAILED : Kind.SHOWN, number, "", "", 0, null);
    }

    /** Returns an answer that shows the place of a block alone. */
    static BlockAnswer of(BlockLink block) {
        return new BlockAnswer(Kind.SHOWN, block.number(), block.hash(), block.parentHash(), 0, null);
    }

    /** Returns whether the node showed the block at a height. */
    boolean shows(long height) {
        return kind == Kind.SHOWN && number == height;
    }

    /** Returns whether the node answered that it has no such block. */
    boolean isLack() {
        return kind == Kind.NONE || kind == Kind.REFUSED;
    }
}
