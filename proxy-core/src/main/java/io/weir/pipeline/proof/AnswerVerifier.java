package io.weir.pipeline.proof;

import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import java.util.function.Consumer;

/** Fetches answers of one kind together with their proof. Thread-safe. */
@FunctionalInterface
interface AnswerVerifier {

    /**
     * Fetches the answer to a call and verifies it.
     *
     * @param stage sends calls to the nodes that may answer
     * @param sink receives the answer once, on the call's event loop
     */
    void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink);
}
