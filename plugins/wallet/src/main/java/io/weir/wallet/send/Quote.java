package io.weir.wallet.send;

import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.chain.FeeEstimate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions that follow one another, and what they cost. Immutable.
 *
 * @param estimates one for each draft
 * @param bounds one for each draft
 */
public record Quote(List<Draft> drafts, List<FeeEstimate> estimates, List<ResourceBounds> bounds) {
    public Quote {
        drafts = List.copyOf(drafts);
        estimates = List.copyOf(estimates);
        bounds = List.copyOf(bounds);
    }

    /**
     * Shares a maximum out to transactions, by what they cost: each gets its estimate and its part of what is left.
     *
     * @param maxFee of all together; 0 for the estimates with the margin
     * @throws IllegalArgumentException when the maximum is below the estimate
     */
    static Quote of(List<Draft> drafts, List<FeeEstimate> estimates, BigInteger maxFee, int marginPercent) {
        BigInteger cost = suggested(estimates, 0);
        boolean named = maxFee.signum() > 0 && cost.signum() > 0;
        if (named && maxFee.compareTo(cost) < 0) {
            throw new IllegalArgumentException(
                    "maxFee: " + maxFee + " (expected: at least the estimated fee, " + cost + ")");
        }
        List<ResourceBounds> bounds = new ArrayList<>();
        for (FeeEstimate estimate : estimates) {
            BigInteger own = estimate.suggestedMaxFee(0);
            // Rounding must not take a share below its estimate: a maximum that covers all of them covers each.
            bounds.add(estimate.boundsWithin(
                    named
                            ? own.add(maxFee.subtract(cost).multiply(own).divide(cost))
                            : estimate.suggestedMaxFee(marginPercent)));
        }
        return new Quote(drafts, estimates, bounds);
    }

    private static BigInteger suggested(List<FeeEstimate> estimates, int marginPercent) {
        return estimates.stream()
                .map(estimate -> estimate.suggestedMaxFee(marginPercent))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Returns the suggested maximum of all together. */
    public BigInteger suggestedMaxFee(int marginPercent) {
        return suggested(estimates, marginPercent);
    }

    /** Returns the cost of all now. */
    public BigInteger overallFee() {
        return estimates.stream().map(FeeEstimate::overallFee).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Returns the highest cost of all. */
    public BigInteger maxFee() {
        return bounds.stream().map(FeeEstimate::most).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Whether an account is deployed on the way. */
    public boolean includesDeployment() {
        return drafts.size() > 1;
    }
}
