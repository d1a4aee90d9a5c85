package io.weir.wallet.method;

import io.weir.wallet.request.RequestMemory;
import io.weir.wallet.request.Requests;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.snap.SnapErrors;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/** {@code getRequest}: the state of a request by the id that its caller gave it. Thread-safe; blocks. */
final class RequestMethods {
    private final RequestMemory memory;

    RequestMethods(RequestMemory memory) {
        this.memory = memory;
    }

    CompletionStage<JsonNode> getRequest(SnapCall call) {
        String id = call.arguments().text(Requests.REQUEST_ID);
        return TransactionJson.answer(memory.shown(call.tenant(), id)
                .orElseThrow(() -> SnapErrors.invalidParams(Arguments.path(Requests.REQUEST_ID)
                        + ": unknown (expected: the id of a request of this key)")));
    }
}
