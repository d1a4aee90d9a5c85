package io.weir.subscription.stream;

import io.weir.jsonrpc.RawJson;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Union of the criteria of all subscriptions of a network. Confined to the event loop of the stream. */
public final class LogInterest {

    /** Maximum number of addresses for which logs are requested; beyond it all logs of a block are. */
    private static final int MAX_ADDRESSES = 32;

    private final Map<LogCriteria, Integer> criteria = new LinkedHashMap<>();
    private final Map<RawJson, Integer> addresses = new HashMap<>();
    private int withoutAddress;

    /** Logs of a block that are wanted. */
    sealed interface Scope {

        /** Returns whether the logs of another scope are among those of this one. */
        boolean covers(Scope other);

        /** No logs. */
        record None() implements Scope {
            @Override
            public boolean covers(Scope other) {
                return other instanceof None;
            }
        }

        /** Logs of some addresses. Immutable. */
        record Of(Set<RawJson> addresses) implements Scope {
            @Override
            public boolean covers(Scope other) {
                return other instanceof None || (other instanceof Of of && addresses.containsAll(of.addresses));
            }
        }

        /** All logs. */
        record All() implements Scope {
            @Override
            public boolean covers(Scope other) {
                return true;
            }
        }
    }

    /**
     * Counts a subscription.
     *
     * @param its criteria; null if it wants no logs
     * @param change 1 if it comes, -1 if it goes
     */
    public void count(@Nullable LogCriteria its, int change) {
        if (its != null) {
            count(criteria, its, change);
            its.addresses().forEach(address -> count(addresses, address, change));
            withoutAddress += its.addresses().isEmpty() ? change : 0;
        }
    }

    private static <K> void count(Map<K, Integer> counts, K key, int change) {
        int count = counts.getOrDefault(key, 0) + change;
        if (count == 0) {
            counts.remove(key);
        } else {
            counts.put(key, count);
        }
    }

    /** Returns the logs of a block that its bloom does not rule out. */
    Scope scope(StreamBlock block) {
        for (LogCriteria one : criteria.keySet()) {
            if (one.mayBeIn(block)) {
                boolean few = withoutAddress == 0 && addresses.size() <= MAX_ADDRESSES;
                return few ? new Scope.Of(Set.copyOf(addresses.keySet())) : new Scope.All();
            }
        }
        return new Scope.None();
    }

    /** Returns the addresses of a scope in a fixed order; none for all. */
    static List<RawJson> addresses(Scope scope) {
        return scope instanceof Scope.Of of
                ? of.addresses().stream()
                        .sorted((one, other) -> one.toString().compareTo(other.toString()))
                        .toList()
                : List.of();
    }
}
