package io.weir.l2.deploy.sending;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The deployments under way. An equal call meanwhile waits for the same answer. Bounded by the calls that may be under way.
 * Thread-safe.
 */
final class Flights {
    private final ConcurrentMap<DeploymentKey, CompletableFuture<JsonNode>> underWay = new ConcurrentHashMap<>();
    private final Runnable joined;

    /**
     * None.
     *
     * @param joined hears of each that waits for another's answer
     */
    Flights(Runnable joined) {
        this.joined = joined;
    }

    /** The answer of what is under way, or else of what this begins. */
    CompletionStage<JsonNode> join(DeploymentKey key, Supplier<CompletionStage<JsonNode>> send) {
        CompletableFuture<JsonNode> flight = new CompletableFuture<>();
        CompletableFuture<JsonNode> other = underWay.putIfAbsent(key, flight);
        if (other != null) {
            joined.run();
            // A copy each: nobody may end it for the others.
            return other.copy();
        }
        try {
            send.get().whenComplete((answer, failure) -> {
                underWay.remove(key, flight);
                if (failure == null) {
                    flight.complete(answer);
                } else {
                    flight.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            underWay.remove(key, flight);
            flight.completeExceptionally(e);
        }
        return flight.copy();
    }
}
