package io.weir.access;

import io.weir.jsonrpc.RawJson;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contracts that calls with an API key may reach. Immutable.
 *
 * @param addresses as JSON strings in the normal form of parameters
 */
public record ContractBound(Set<RawJson> addresses) {

    /** Returns the bound of a key; null if its calls may reach every contract. */
    static @Nullable ContractBound of(Set<String> contracts) {
        if (contracts.isEmpty()) {
            return null;
        }
        Set<RawJson> addresses = new HashSet<>();
        for (String contract : contracts) {
            addresses.add(RawJson.of('"' + contract.toLowerCase(Locale.ROOT) + '"'));
        }
        return new ContractBound(Set.copyOf(addresses));
    }

    /** Returns whether a call may reach these accounts, and names at least one. */
    public boolean allows(List<RawJson> named) {
        return !named.isEmpty() && addresses.containsAll(named);
    }
}
