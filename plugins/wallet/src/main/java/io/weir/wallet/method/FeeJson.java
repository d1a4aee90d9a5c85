package io.weir.wallet.method;

import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.FeeEstimate.Resource;
import io.weir.wallet.send.Quote;
import java.math.BigInteger;
import java.util.function.Function;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fees as the network's former gateway gave them, in decimal. One gas and its price are now those of layer 2; the other two kinds
 * stand beside them. Thread-safe.
 */
final class FeeJson {
    private FeeJson() {}

    static ObjectNode of(Quote quote, int marginPercent) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("suggestedMaxFee", quote.suggestedMaxFee(marginPercent).toString());
        json.put("overallFee", quote.overallFee().toString());
        put(json, "gas", quote, FeeEstimate::l2Gas);
        put(json, "l1Gas", quote, FeeEstimate::l1Gas);
        put(json, "l1DataGas", quote, FeeEstimate::l1DataGas);
        json.put("unit", "fri");
        return json;
    }

    private static void put(ObjectNode json, String name, Quote quote, Function<FeeEstimate, Resource> resource) {
        BigInteger consumed = quote.estimates().stream()
                .map(estimate -> resource.apply(estimate).consumed())
                .reduce(BigInteger.ZERO, BigInteger::add);
        BigInteger price = quote.estimates().stream()
                .map(estimate -> resource.apply(estimate).price())
                .reduce(BigInteger.ZERO, BigInteger::max);
        json.put(name + "Consumed", consumed.toString());
        json.put(name + "Price", price.toString());
    }
}
