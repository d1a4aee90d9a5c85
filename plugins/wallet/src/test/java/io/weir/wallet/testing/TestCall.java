package io.weir.wallet.testing;

import io.weir.api.Caller;
import io.weir.api.ChainClient;
import io.weir.api.MethodCall;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;

/** One call of the wallet. Immutable. */
public record TestCall(
        String method,
        String tenant,
        JsonNode params,
        Executor executor,
        ChainClient chain,
        boolean mayUseNetworks,
        List<Runnable> whenGone,
        Optional<InetAddress> callerAddress)
        implements MethodCall {

    /** A call of a caller who waits, at an unknown address. */
    public TestCall(String tenant, JsonNode params, Executor executor, ChainClient chain, boolean mayUseNetworks) {
        this(
                "wallet_invokeSnap",
                tenant,
                params,
                executor,
                chain,
                mayUseNetworks,
                new CopyOnWriteArrayList<>(),
                Optional.empty());
    }

    /** The caller leaves, if he has not left before. */
    public void leaveOnce() {
        List<Runnable> listeners = List.copyOf(whenGone);
        whenGone.clear();
        listeners.forEach(Runnable::run);
    }

    /** The caller leaves. */
    public void leave() {
        whenGone.forEach(Runnable::run);
    }

    @Override
    public String network() {
        return "sepolia";
    }

    @Override
    public Caller caller() {
        return new Caller() {
            @Override
            public String name() {
                return tenant;
            }

            @Override
            public boolean mayUseNetwork(String network) {
                return mayUseNetworks;
            }

            @Override
            public boolean mayUseMethod(String method) {
                return true;
            }
        };
    }

    @Override
    public long deadlineNanos() {
        return System.nanoTime() + Duration.ofMinutes(1).toNanos();
    }

    @Override
    public void onCallerGone(Runnable listener) {
        whenGone.add(listener);
    }

    @Override
    public Duration extendDeadline(Duration fromNow) {
        return fromNow;
    }
}
