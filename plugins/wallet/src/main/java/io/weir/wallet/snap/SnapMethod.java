package io.weir.wallet.snap;

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
}
