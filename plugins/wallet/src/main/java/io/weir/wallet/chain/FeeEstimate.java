package io.weir.wallet.chain;

import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;

/** The cost of a transaction now: the amount and the price of each resource. Immutable. */
public record FeeEstimate(Resource l1Gas, Resource l1DataGas, Resource l2Gas, BigInteger overallFee) {
    /** Square roots are of numbers with this factor, to keep three digits behind the point. */
    private static final BigInteger SCALE = BigInteger.valueOf(1000);

    private static final BigInteger MAX_AMOUNT_SCALE = BigInteger.valueOf(1500);

    /** One resource. Immutable. */
    public record Resource(BigInteger consumed, BigInteger price) {
        BigInteger cost() {
            return consumed.multiply(price);
        }
    }

    static FeeEstimate read(JsonNode node) {
        return new FeeEstimate(
                resource(node, "l1_gas"),
                resource(node, "l1_data_gas"),
                resource(node, "l2_gas"),
                quantity(node.path("overall_fee")));
    }

    private static Resource resource(JsonNode node, String name) {
        return new Resource(quantity(node.path(name + "_consumed")), quantity(node.path(name + "_price")));
    }

    private static BigInteger quantity(JsonNode node) {
        String text = node.asString();
        if (!text.startsWith("0x")) {
            throw new IllegalArgumentException("quantity");
        }
        return new BigInteger(text.substring(2), 16);
    }

    /** Returns the cost of the resources by their prices, which is the overall fee or nearly so. */
    private BigInteger cost() {
        return l1Gas.cost().add(l1DataGas.cost()).add(l2Gas.cost()).max(overallFee);
    }

    /** The fee with a margin on top, in percent: what is paid at most where the caller names no other maximum. */
    public BigInteger suggestedMaxFee(int marginPercent) {
        return cost().multiply(BigInteger.valueOf(100L + marginPercent)).divide(BigInteger.valueOf(100));
    }

    /**
     * Bounds that never cost more than a maximum. The ratio of the maximum to the estimate raises amounts and prices alike, by
     * its square root. Amounts grow by half at most.
     *
     * @throws IllegalArgumentException when the maximum is below the estimate
     */
    public ResourceBounds boundsWithin(BigInteger maxFee) {
        BigInteger cost = cost();
        if (maxFee.compareTo(cost) < 0) {
            throw new IllegalArgumentException(
                    "maxFee: " + maxFee + " (expected: at least the estimated fee, " + cost + ")");
        }
        BigInteger amountScale = cost.signum() == 0
                ? SCALE
                : maxFee.multiply(SCALE.multiply(SCALE)).divide(cost).sqrt().min(MAX_AMOUNT_SCALE);
        return new ResourceBounds(
                bound(l1Gas, amountScale, maxFee, cost),
                bound(l2Gas, amountScale, maxFee, cost),
                bound(l1DataGas, amountScale, maxFee, cost));
    }

    private static ResourceBound bound(Resource resource, BigInteger amountScale, BigInteger maxFee, BigInteger cost) {
        if (cost.signum() == 0) {
            return new ResourceBound(resource.consumed(), resource.price());
        }
        BigInteger amount = resource.consumed().multiply(amountScale).divide(SCALE);
        BigInteger price = resource.price().multiply(maxFee).multiply(SCALE).divide(cost.multiply(amountScale));
        return new ResourceBound(amount, price);
    }

    /** Returns the highest cost within bounds. */
    public static BigInteger most(ResourceBounds bounds) {
        ResourceBound data = bounds.l1DataGas();
        return most(bounds.l1Gas()).add(most(bounds.l2Gas())).add(data == null ? BigInteger.ZERO : most(data));
    }

    private static BigInteger most(ResourceBound bound) {
        return bound.maxAmount().multiply(bound.maxPricePerUnit());
    }
}
