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

    private final Map<String, ParkedRequest> byId = new LinkedHashMap<>();
    private boolean stopped;

    synchronized Added add(ParkedRequest one) {
        if (stopped) {
            return Added.STOPPED;
        }
        String tenant = one.request().tenant();
        long ofTenant = byId.values().stream()
                .filter(other -> other.request().tenant().equals(tenant))
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

    synchronized @Nullable ParkedRequest take(String id) {
        return byId.remove(id);
    }

    synchronized @Nullable ParkedRequest find(String id) {
        return byId.get(id);
    }

    synchronized List<ParkedRequest> all() {
        return List.copyOf(byId.values());
    }

    synchronized int size() {
        return byId.size();
    }

    /** Takes all out, and lets none in any more. */
    synchronized List<ParkedRequest> stop() {
        stopped = true;
        List<ParkedRequest> all = List.copyOf(byId.values());
        byId.clear();
        return all;
    }
}
