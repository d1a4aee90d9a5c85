package io.weir.subscription.delivery;

import io.weir.pipeline.ClientSession;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.LogCriteria;
import io.weir.subscription.stream.LogIndex;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Open subscriptions of one event loop, by their connections, kinds and criteria. Confined to that event loop. */
final class OpenSubscriptions {

    private final IdentityHashMap<ClientSession, Connection> connections = new IdentityHashMap<>();
    /** Those without criteria, by kind. */
    private final Map<SubscriptionKind, Set<Subscription>> byKind = new EnumMap<>(SubscriptionKind.class);

    private final LogIndex<Subscription> logs = new LogIndex<>();

    /** Subscriptions of one connection. Confined to the event loop. */
    private static final class Connection {

        private final Map<String, Subscription> byId = new HashMap<>(4);
        /** Number of addresses and topics in their criteria. */
        private long criteria;
    }

    /** Adds a connection without subscriptions. Returns whether it is a new one. */
    boolean addSession(ClientSession session) {
        return connections.putIfAbsent(session, new Connection()) == null;
    }

    /** Adds a subscription of a connection that was added. */
    void add(Subscription subscription) {
        LogCriteria criteria = subscription.criteria();
        Connection own = connections.computeIfAbsent(subscription.session(), key -> new Connection());
        own.byId.put(subscription.id(), subscription);
        own.criteria += LogCriteria.count(criteria);
        if (criteria == null) {
            ofKind(subscription.kind()).add(subscription);
        } else {
            logs.add(criteria, subscription);
        }
    }

    /** Removes a subscription of a connection. Returns null if it had none of this id. */
    @Nullable
    Subscription remove(ClientSession session, String id) {
        Connection own = connections.get(session);
        Subscription removed = own == null ? null : own.byId.remove(id);
        if (own != null && removed != null) {
            own.criteria -= LogCriteria.count(removed.criteria());
            forget(removed);
        }
        return removed;
    }

    /** Removes a connection. Returns the subscriptions that it had. */
    Collection<Subscription> remove(ClientSession session) {
        Connection own = connections.remove(session);
        if (own == null) {
            return List.of();
        }
        own.byId.values().forEach(this::forget);
        return own.byId.values();
    }

    private void forget(Subscription subscription) {
        LogCriteria criteria = subscription.criteria();
        if (criteria == null) {
            ofKind(subscription.kind()).remove(subscription);
        } else {
            logs.remove(criteria, subscription);
        }
    }

    boolean has(Subscription subscription) {
        Connection own = connections.get(subscription.session());
        return own != null && own.byId.containsKey(subscription.id());
    }

    Collection<Subscription> of(ClientSession session) {
        Connection own = connections.get(session);
        return own == null ? List.of() : own.byId.values();
    }

    /** Returns the number of addresses and topics in the criteria of those of a connection. */
    long criteriaOf(ClientSession session) {
        Connection own = connections.get(session);
        return own == null ? 0 : own.criteria;
    }

    /** Returns those of a kind without criteria. */
    Set<Subscription> ofKind(SubscriptionKind kind) {
        return byKind.computeIfAbsent(kind, key -> new LinkedHashSet<>());
    }

    /** Returns those of all kinds without criteria, except for those that a node serves alone. */
    Collection<Subscription> ofStream() {
        return byKind.entrySet().stream()
                .filter(entry -> entry.getKey() != SubscriptionKind.PASSED)
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }

    Collection<Subscription> withCriteria() {
        return connections.values().stream()
                .flatMap(own -> own.byId.values().stream())
                .filter(subscription -> subscription.criteria() != null)
                .toList();
    }

    /** Returns whether any of them has criteria. */
    boolean wantsLogs() {
        return logs.size() > 0;
    }

    /** Passes on each subscription whose criteria match a log of a block. Returns the number of criteria that were compared. */
    int match(BlockLogs of, int index, Consumer<Subscription> sink) {
        return logs.match(of, index, sink);
    }

    /**
     * Returns the connections with subscriptions of a kind.
     *
     * @param kind null for all connections
     */
    List<ClientSession> sessions(@Nullable SubscriptionKind kind) {
        return connections.entrySet().stream()
                .filter(entry -> kind == null
                        || entry.getValue().byId.values().stream()
                                .anyMatch(subscription -> subscription.kind() == kind))
                .map(Map.Entry::getKey)
                .toList();
    }
}
