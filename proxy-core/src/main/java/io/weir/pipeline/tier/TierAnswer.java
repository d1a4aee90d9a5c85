package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.tier.entry.TierEntry;
import org.jspecify.annotations.Nullable;

/**
 * A result that a tier gave, and what it was found to be. Immutable.
 *
 * @param facts what the result says of its block; null where it says nothing
 * @param proven what was proven of its content; empty where nothing was
 */
record TierAnswer(TierEntry entry, @Nullable AnswerFacts facts, String proven) {

    /** The block that it depends on. */
    long number() {
        return facts == null ? entry.number() : facts.number();
    }

    /** That block's hash, where it is said. */
    @Nullable
    String hash() {
        return facts == null ? entry.hash() : facts.hash();
    }
}
