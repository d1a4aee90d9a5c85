package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import io.weir.method.MethodPattern;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A caller with its rights and rate. Thread-safe.
 *
 * @param rate null if there is no limit
 */
record KeyCaller(String name, Rights rights, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account)
        implements Caller {

    private static final String EVERY = "*";

    /**
     * The rights of an API key. Immutable.
     *
     * @param networks names, or {@code *}
     * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
     * @param completeLogs whether it gets no other lists of logs than those that are proven to be complete
     */
    record Rights(Set<String> networks, Set<String> methods, boolean cacheBypass, boolean completeLogs) {

        static final Rights EVERYTHING = new Rights(Set.of(EVERY), Set.of(EVERY), false, false);
    }

    @Override
    public boolean mayUse(NetworkId network) {
        return rights.networks.contains(EVERY) || rights.networks.contains(network.name());
    }

    @Override
    public boolean mayCall(String method) {
        if (rights.methods.contains(EVERY) && !MethodPattern.isOfWallet(method)) {
            return true;
        }
        for (String pattern : rights.methods) {
            if (!pattern.equals(EVERY) && MethodPattern.matches(pattern, method)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean mayBypassCache() {
        return rights.cacheBypass;
    }

    @Override
    public boolean bypassesCache() {
        return false;
    }

    @Override
    public boolean requiresLogs() {
        return rights.completeLogs;
    }

    @Override
    public String toString() {
        return name;
    }
}
