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
        if (its != null && change > 0) {
            add(its);
        } else if (its != null) {
            remove(its);
        }
    }

    /** Adds the criteria of a subscription. */
    public void add(LogCriteria added) {
        criteria.merge(added, 1, Integer::sum);
        added.addresses().forEach(address -> addresses.merge(address, 1, Integer::sum));
        withoutAddress += added.addresses().isEmpty() ? 1 : 0;
    }

    /** Removes the criteria of a subscription. */
    public void remove(LogCriteria removed) {
        criteria.computeIfPresent(removed, (one, count) -> count == 1 ? null : count - 1);
        removed.addresses()
                .forEach(address -> addresses.computeIfPresent(address, (one, count) -> count == 1 ? null : count - 1));
        withoutAddress -= removed.addresses().isEmpty() ? 1 : 0;
    }

    /** Returns whether there are criteria. */
    boolean isEmpty() {
        return criteria.isEmpty();
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
