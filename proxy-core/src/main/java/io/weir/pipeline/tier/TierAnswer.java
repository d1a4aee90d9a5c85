package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.tier.entry.TierEntry;
import org.jspecify.annotations.Nullable;

/**
 * A result from a tier, and what its check found. Immutable.
 *
 * @param facts what the result says about its block; null if it does not name it
 * @param proven the proven parts of its content; empty if there are none
 */
record TierAnswer(TierEntry entry, @Nullable AnswerFacts facts, String proven) {

    /** Returns the number of the block that the result depends on. */
    long number() {
        return facts == null ? entry.number() : facts.number();
    }

    /** Returns the hash of that block; null if the result does not name it. */
    @Nullable
    String hash() {
        return facts == null ? entry.hash() : facts.hash();
    }
}
