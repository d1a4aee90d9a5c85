package io.weir.wallet.testing;

import io.weir.api.Caller;
import io.weir.api.ChainClient;
import io.weir.api.MethodCall;
import java.time.Duration;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;

/** One call of {@code wallet_invokeSnap}. Immutable. */
public record TestCall(String tenant, JsonNode params, Executor executor, ChainClient chain, boolean mayUseNetworks)
        implements MethodCall {

    @Override
    public String method() {
        return "wallet_invokeSnap";
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
    public Duration extendDeadline(Duration fromNow) {
        return fromNow;
    }
}
