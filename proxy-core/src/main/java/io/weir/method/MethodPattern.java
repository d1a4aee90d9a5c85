package io.weir.method;

import java.util.Collection;

/** Patterns of method names in settings: a name, a prefix such as {@code debug_*}, or {@code *}. Pure. */
public final class MethodPattern {

    /** The methods of wallets, which node software does not serve. */
    private static final String WALLET = "wallet_*";

    private static final String ETHEREUM = "eth_*";

    private MethodPattern() {}

    public static boolean matches(String pattern, String method) {
        return pattern.endsWith("*")
                ? method.regionMatches(0, pattern, 0, pattern.length() - 1)
                : pattern.equals(method);
    }

    public static boolean anyMatches(Collection<String> patterns, String method) {
        for (String pattern : patterns) {
            if (matches(pattern, method)) {
                return true;
            }
        }
        return false;
    }

    /** As {@link #anyMatches}, ignoring upper and lower case, because some nodes do. */
    static boolean anyMatchesInAnyCase(Collection<String> patterns, String method) {
        for (String pattern : patterns) {
            if (matchesInAnyCase(pattern, method)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the name is one of a wallet's methods, in upper or lower case. */
    public static boolean isOfWallet(String method) {
        return matchesInAnyCase(WALLET, method);
    }

    public static boolean isOfEthereum(String method) {
        return matches(ETHEREUM, method);
    }

    private static boolean matchesInAnyCase(String pattern, String method) {
        return pattern.endsWith("*")
                ? method.regionMatches(true, 0, pattern, 0, pattern.length() - 1)
                : pattern.equalsIgnoreCase(method);
    }
}
