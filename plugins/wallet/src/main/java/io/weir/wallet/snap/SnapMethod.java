package io.weir.wallet.snap;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/** Answers one of the wallet's methods. Thread-safe. */
@FunctionalInterface
public interface SnapMethod {

    /**
     * Answers a call. May block: it runs on the plugin executor. The stage gives the result or fails with an
     * {@link io.weir.api.RpcException}, which may also be thrown.
     */
    CompletionStage<JsonNode> answer(SnapCall call);

    /**
     * A method and its parameters. Immutable.
     *
     * @param parameters the names of its parameters
     * @param ofChain whether its answer depends on what is stored of the chain
     */
    record Named(SnapMethod method, Set<String> parameters, boolean ofChain) {
        public Named {
            parameters = Set.copyOf(parameters);
        }
    }
}
