package io.weir.l2.deploy.devnet;

import io.weir.api.LocalNode;
import io.weir.api.UpstreamProvider;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Opens {@code l2-devnet:default}: nodes on one chain, which begins anew with each start of the proxy. Thread-safe. */
public final class DevelopmentNodes implements UpstreamProvider {
    private static final String ADDRESS = "default";

    private final InstantSource clock;
    private @Nullable DevelopmentChain chain;

    /** @param clock the time of blocks */
    public DevelopmentNodes(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public String scheme() {
        return "l2-devnet";
    }

    @Override
    public synchronized LocalNode open(String address) {
        if (!address.equals(ADDRESS)) {
            throw new IllegalArgumentException("l2-devnet:" + address + " (expected: l2-devnet:" + ADDRESS + ")");
        }
        if (chain == null) {
            chain = new DevelopmentChain(clock);
        }
        return new Node(chain);
    }

    /** A node that stands on the chain. */
    private record Node(DevelopmentChain chain) implements LocalNode {
        @Override
        public CompletionStage<JsonNode> call(String method, JsonNode params) {
            try {
                return CompletableFuture.completedStage(chain.call(method, params));
            } catch (RuntimeException e) {
                return CompletableFuture.failedStage(e);
            }
        }

        @Override
        public void close() {
            // The chain stays for other nodes, and for one that a reload opens again.
        }
    }
}
