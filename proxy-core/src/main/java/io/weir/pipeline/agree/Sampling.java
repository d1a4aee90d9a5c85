package io.weir.pipeline.agree;

import java.util.random.RandomGenerator;

/**
 * The choice of the results that are sampled. Immutable; its members are thread-safe.
 *
 * @param share of the results, from 0 to 1
 * @param random draws them
 */
public record Sampling(double share, RandomGenerator random, Sampler sampler) {

    /** Returns whether to sample a result, by chance. */
    public boolean isDue() {
        return share > 0 && random.nextDouble() < share;
    }
}
