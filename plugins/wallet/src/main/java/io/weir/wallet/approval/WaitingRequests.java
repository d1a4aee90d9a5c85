package io.weir.wallet.approval;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests that wait, in the order of their arrival, within bounds. Whoever takes one out has it alone. Thread-safe. */
final class WaitingRequests {

    /** The requests of all tenants: as many as fit on a page that a person reads. */
    static final int MAX = 100;

    /** The requests of one tenant, so that ten keys can wait beside each other and none displaces others. */
    static final int MAX_PER_TENANT = 10;

    /** The result of adding a request. */
    enum Added {
        ADDED,
        /** The requests of all tenants reach their bound. */
        FULL,
        /** The requests of this tenant reach theirs. */
        TENANT_FULL,
        STOPPED
    }

    private final Map<String, Request> byId = new LinkedHashMap<>();
    private boolean stopped;

    synchronized Added add(Request one) {
        if (stopped) {
            return Added.STOPPED;
        }
        String tenant = one.content().tenant();
        long ofTenant = byId.values().stream()
                .filter(other -> other.content().tenant().equals(tenant))
                .count();
        if (ofTenant >= MAX_PER_TENANT) {
            return Added.TENANT_FULL;
        }
        if (byId.size() >= MAX) {
            return Added.FULL;
        }
        byId.put(one.id(), one);
        return Added.ADDED;
    }

    synchronized @Nullable Request take(String id) {
        return byId.remove(id);
    }

    synchronized @Nullable Request find(String id) {
        return byId.get(id);
    }

    synchronized List<Request> all() {
        return List.copyOf(byId.values());
    }

    synchronized int size() {
        return byId.size();
    }

    /** Takes all out, and lets none in any more. */
    synchronized List<Request> stop() {
        stopped = true;
        List<Request> all = List.copyOf(byId.values());
        byId.clear();
        return all;
    }
}
