package io.weir.config;

import java.util.Map;

/**
 * Units by method. Immutable.
 *
 * @param base of methods without an entry; below 0 for those of the catalogue
 * @param methods of methods by name
 * @param prefixes of all methods that begin with a prefix; the longest prefix counts
 */
public record MethodCosts(long base, Map<String, Long> methods, Map<String, Long> prefixes) {

    /** Every call costs one unit, so that units are calls. */
    public static final MethodCosts CALLS = new MethodCosts(1, Map.of(), Map.of());

    /** Every call costs the units of the catalogue. */
    public static final MethodCosts CATALOGUE = new MethodCosts(-1, Map.of(), Map.of());

    /** Returns the units of a call whose method costs {@code known} in the catalogue. */
    public long of(String method, long known) {
        long cost = of(method);
        return cost < 0 ? known : cost;
    }

    public long of(String method) {
        Long exact = methods.get(method);
        if (exact != null) {
            return exact;
        }
        if (prefixes.isEmpty()) {
            return base;
        }
        String longest = null;
        for (String prefix : prefixes.keySet()) {
            if (method.startsWith(prefix) && (longest == null || prefix.length() > longest.length())) {
                longest = prefix;
            }
        }
        return longest == null ? base : prefixes.getOrDefault(longest, base);
    }
}
