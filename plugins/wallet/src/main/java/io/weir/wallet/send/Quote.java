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
     * Shares a maximum out to transactions, by what they cost.
     *
     * @param maxFee of all together; 0 for the estimates with the margin
     * @throws IllegalArgumentException when the maximum is below the estimate
     */
    static Quote of(List<Draft> drafts, List<FeeEstimate> estimates, BigInteger maxFee, int marginPercent) {
        BigInteger suggested = suggested(estimates, marginPercent);
        List<ResourceBounds> bounds = new ArrayList<>();
        for (FeeEstimate estimate : estimates) {
            BigInteger share = estimate.suggestedMaxFee(marginPercent);
            boolean named = maxFee.signum() > 0 && suggested.signum() > 0;
            bounds.add(estimate.boundsWithin(named ? maxFee.multiply(share).divide(suggested) : share));
        }
        return new Quote(drafts, estimates, bounds);
    }

    private static BigInteger suggested(List<FeeEstimate> estimates, int marginPercent) {
        return estimates.stream()
                .map(estimate -> estimate.suggestedMaxFee(marginPercent))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** What is suggested as maximum of all together. */
    public BigInteger suggestedMaxFee(int marginPercent) {
        return suggested(estimates, marginPercent);
    }

    /** What all would cost now. */
    public BigInteger overallFee() {
        return estimates.stream().map(FeeEstimate::overallFee).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** What all may cost at most. */
    public BigInteger maxFee() {
        return bounds.stream().map(FeeEstimate::most).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Whether an account is deployed on the way. */
    public boolean includesDeployment() {
        return drafts.size() > 1;
    }
}
