package io.weir.wallet.request;

import io.weir.api.MethodCall;
import io.weir.wallet.approval.Asker;
import io.weir.wallet.state.RequestState;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One request on its way, with all callers that wait for it. Thread-safe. */
public final class Request implements Asker {
    private final String id;
    private final String tenant;
    private final @Nullable String requestId;
    private final String fingerprint;
    private final CompletableFuture<JsonNode> result = new CompletableFuture<>();

    private final List<MethodCall> hosts = new ArrayList<>(1);
    private RequestState state = RequestState.WAITING;
    private int callers;
    private @Nullable String address;
    private boolean detached;
    private @Nullable Request leader;

    /**
     * @param id of its approval
     * @param requestId the id that the caller gave it, or null
     * @param fingerprint equal for equal requests of a tenant
     */
    Request(String id, String tenant, @Nullable String requestId, String fingerprint) {
        this.id = id;
        this.tenant = tenant;
        this.requestId = requestId;
        this.fingerprint = fingerprint;
    }

    /** Returns the owner of the account: the name of the caller's API key. */
    String tenant() {
        return tenant;
    }

    /** Returns the hash of what it is for. */
    String fingerprint() {
        return fingerprint;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public @Nullable String requestId() {
        return requestId;
    }

    @Override
    public synchronized @Nullable String address() {
        return address;
    }

    @Override
    public synchronized int callers() {
        return callers;
    }

    /** Returns how far it has come; ended states say how. */
    public synchronized RequestState state() {
        return state;
    }

    /** Moves it on; an ended one stays as it is. Returns whether it moved. */
    synchronized boolean move(RequestState next) {
        if (state.isEnded()) {
            return false;
        }
        state = next;
        return true;
    }

    synchronized void join(MethodCall host, boolean detaches) {
        if (hosts.isEmpty()) {
            address = host.callerAddress().map(InetAddress::getHostAddress).orElse(null);
        }
        hosts.add(host);
        callers++;
        detached |= detaches;
    }

    /** Notes that a caller has gone. Returns the request to withdraw, because nobody waits for it; else null. */
    @Nullable
    Request leave() {
        Request followed;
        synchronized (this) {
            callers--;
            followed = leader;
            if (followed == null) {
                boolean unwanted = callers == 0 && !detached && state == RequestState.WAITING;
                if (unwanted) {
                    state = RequestState.WITHDRAWN;
                }
                return unwanted ? this : null;
            }
        }
        return followed.leave();
    }

    /** Makes the callers of another request wait for this one. */
    void adopt(Request other) {
        List<MethodCall> joining;
        synchronized (other) {
            other.leader = this;
            joining = List.copyOf(other.hosts);
            synchronized (this) {
                callers += other.callers;
                hosts.addAll(joining);
            }
        }
    }

    /** Returns the calls that wait for it. */
    synchronized List<MethodCall> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns its result, which all its callers get. */
    CompletableFuture<JsonNode> result() {
        return result;
    }
}
