package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import java.util.List;

/** The hashes of one message by the rules of its revision, within a bound on steps. Confined to one thread. */
final class MeteredHash {
    /** Half a second: the largest messages of applications take a hundredth of it. */
    static final long MAX_STEPS = 500_000;

    private static final int CHARACTERS_PER_STEP = 64;

    private final Revision revision;
    private final StepBudget budget;

    MeteredHash(Revision revision) {
        this(revision, new StepBudget(MAX_STEPS));
    }

    MeteredHash(Revision revision, StepBudget budget) {
        this.revision = revision;
        this.budget = budget;
    }

    Revision revision() {
        return revision;
    }

    /**
     * The hash of elements.
     *
     * @throws IllegalArgumentException when the message has no steps left for it
     */
    Felt many(List<Felt> elements, String path) {
        spend((1L + elements.size()) * revision.stepsPerElement(), path);
        return revision.hashMany(elements);
    }

    /** The hash of two felts; throws as {@link #many}. */
    Felt pair(Felt left, Felt right, String path) {
        spend(2 * revision.stepsPerElement(), path);
        return revision.hash(left, right);
    }

    /** Takes the steps of reading text; throws as {@link #many}. */
    void read(long characters, String path) {
        spend(1 + characters / CHARACTERS_PER_STEP, path);
    }

    /** Takes steps; throws as {@link #many}. */
    void spend(long steps, String path) {
        if (!budget.spend(steps)) {
            // The path may be the very text that is too long.
            String shown = path.length() > 200 ? path.substring(0, 200) + "…" : path;
            throw new IllegalArgumentException(shown + ": too much to read and hash (expected: a message of at most "
                    + budget.max() + " steps; a value takes "
                    + revision.stepsPerElement() + " and more)");
        }
    }
}
