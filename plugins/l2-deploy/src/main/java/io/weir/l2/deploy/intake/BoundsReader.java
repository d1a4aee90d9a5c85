package io.weir.l2.deploy.intake;

import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code resource_bounds}, in either of its two forms. Confined to a thread. */
final class BoundsReader {
    static final String NAME = "resource_bounds";

    private static final String L1_GAS = "l1_gas";
    private static final String L2_GAS = "l2_gas";
    private static final String L1_DATA_GAS = "l1_data_gas";
    private static final String AMOUNT = "max_amount";
    private static final String PRICE = "max_price_per_unit";
    private static final int AMOUNT_BITS = 64;
    private static final int PRICE_BITS = 128;

    private static final List<String> RESOURCES = List.of(L1_GAS, L2_GAS, L1_DATA_GAS);
    private static final List<String> PARTS = List.of(AMOUNT, PRICE);

    private final Problems problems;

    BoundsReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * The result of reading.
     *
     * @param bounds null where a bound is one hex string, which says neither amount nor price
     * @param normal as it is sent on; untouched where a bound is one hex string
     */
    record Reading(@Nullable ResourceBounds bounds, JsonNode normal) {}

    /** Reads them out of a transaction. */
    Reading read(FieldReader transaction) {
        JsonNode given = transaction.get(NAME);
        if (!given.isObject()) {
            transaction.wrong(NAME, "an object with l1_gas, l2_gas and, of newer transactions, l1_data_gas");
            return new Reading(null, given);
        }
        FieldReader resources = new FieldReader(transaction.path(NAME), given, problems);
        resources.onlyThese(RESOURCES);
        ResourceBound l1 = bound(resources, L1_GAS);
        ResourceBound l2 = bound(resources, L2_GAS);
        boolean three = given.has(L1_DATA_GAS);
        ResourceBound data = three ? bound(resources, L1_DATA_GAS) : null;
        if (l1 == null || l2 == null || (three && data == null)) {
            if (l1 != null || l2 != null || data != null) {
                transaction.wrong(NAME, "all bounds as objects, or all as one hex string each");
            }
            return new Reading(null, given);
        }
        ResourceBounds bounds = new ResourceBounds(l1, l2, data);
        return new Reading(bounds, normal(bounds));
    }

    /** Null where it is one hex string. */
    private @Nullable ResourceBound bound(FieldReader resources, String name) {
        JsonNode given = resources.get(name);
        if (FieldReader.hex(given) != null) {
            return null;
        }
        if (!given.isObject()) {
            resources.wrong(
                    name,
                    "an object with max_amount and max_price_per_unit, or one string of 0x and up to 64 hex digits");
            return ResourceBound.NONE;
        }
        FieldReader parts = new FieldReader(resources.path(name), given, problems);
        parts.onlyThese(PARTS);
        return new ResourceBound(parts.number(AMOUNT, AMOUNT_BITS), parts.number(PRICE, PRICE_BITS));
    }

    private static ObjectNode normal(ResourceBounds bounds) {
        ObjectNode normal = JsonNodeFactory.instance.objectNode();
        normal.set(L1_GAS, normal(bounds.l1Gas()));
        ResourceBound data = bounds.l1DataGas();
        if (data != null) {
            normal.set(L1_DATA_GAS, normal(data));
        }
        normal.set(L2_GAS, normal(bounds.l2Gas()));
        return normal;
    }

    private static ObjectNode normal(ResourceBound bound) {
        return JsonNodeFactory.instance
                .objectNode()
                .put(AMOUNT, hex(bound.maxAmount()))
                .put(PRICE, hex(bound.maxPricePerUnit()));
    }

    static String hex(BigInteger number) {
        return "0x" + number.toString(16);
    }
}
