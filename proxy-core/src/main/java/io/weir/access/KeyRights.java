package io.weir.access;

import io.weir.method.MethodPattern;
import java.util.Set;

/**
 * The rights of an API key. Immutable.
 *
 * @param networks names, or {@code *}
 * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
 */
record KeyRights(Set<String> networks, Set<String> methods, boolean cacheBypass) {

    static final KeyRights EVERYTHING = new KeyRights(Set.of("*"), Set.of("*"), false);

    private static final String EVERY = "*";

    boolean allowNetwork(String network) {
        return networks.contains(EVERY) || networks.contains(network);
    }

    boolean allowMethod(String method) {
        if (methods.contains(EVERY) && !MethodPattern.isOfWallet(method)) {
            return true;
        }
        for (String pattern : methods) {
            if (!pattern.equals(EVERY) && MethodPattern.matches(pattern, method)) {
                return true;
            }
        }
        return false;
    }
}
