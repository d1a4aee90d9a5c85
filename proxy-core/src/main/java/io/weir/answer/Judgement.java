package io.weir.answer;

import io.weir.ethereum.block.BlockHeader;
import io.weir.method.params.BlockSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a result as the answer to its question. Immutable.
 *
 * @param fault null if nothing is known to be wrong
 * @param detail for logs: what was seen and what was expected; empty without a fault
 * @param silent the blocks whose blooms may hold a wanted log although the result lists none of theirs, the newest first. The bloom
 *     may be wrong in that; the receipts of the blocks decide
 * @param unread whether logs could not be read, which may be of silent blocks
 * @param open the blocks that are not known, and without which nobody can tell whether the result is right
 * @param proven what a header proves of the result
 */
public record Judgement(
        @Nullable Fault fault,
        String detail,
        List<BlockHeader> silent,
        boolean unread,
        List<BlockSelector> open,
        Proven proven) {

    /** A result with which nothing is known to be wrong. */
    public static final Judgement FITS = new Judgement(null, "", List.of(), false, List.of(), Proven.NOTHING);

    /** What a header proves of a result. */
    public enum Proven {
        NOTHING,
        /** It is a list of all logs of one block, which fill the bloom of its header exactly. */
        BLOOM,
        /** It is an account with slots of its storage, under the state root of the block. */
        STATE
    }

    /** Kind of a fault. */
    public enum Fault {
        /** The result has not the form that the method gives. */
        FORM,
        /** The result is about something else than the call. */
        UNFIT,
        /** A proven header contradicts the result. */
        REFUTED,
        /** The state root of a proven header contradicts the result. Nodes of developers, and forks of chains, change state at will. */
        STATE,
        /** The result is of another block than the one that several nodes named. Near the head honest nodes may differ. */
        OTHER_BRANCH,
        /** The result says that there is nothing where something must be. */
        NOTHING
    }

    public Judgement {
        silent = List.copyOf(silent);
        open = List.copyOf(open);
    }

    /** Returns that a result has a fault. */
    static Judgement of(Fault fault, String detail) {
        return new Judgement(fault, detail, List.of(), false, List.of(), Proven.NOTHING);
    }

    /** Returns the same with other blocks that are not known; with none it is the judgement by what is known. */
    public Judgement with(List<BlockSelector> unknown) {
        return new Judgement(fault, detail, silent, unread, unknown, proven);
    }

    /** Returns that only blocks that are not known can judge a result. */
    static Judgement ofUnknown(List<BlockSelector> blocks) {
        return FITS.with(blocks);
    }
}
