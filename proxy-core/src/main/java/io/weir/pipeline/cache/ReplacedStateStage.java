package io.weir.pipeline.cache;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.DevelopmentMethods;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * The stage of methods that change a development node's chain: forgets all results after a call that changed the node's state,
 * or set its chain back. No new block shows such a change. Thread-safe.
 */
final class ReplacedStateStage implements Stage {

    private final Runnable forget;
    private final Stage next;

    ReplacedStateStage(Runnable forget, Stage next) {
        this.forget = forget;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        if (!DevelopmentMethods.mayReplaceState(context.call().method())) {
            next.handle(context, sink);
            return;
        }
        next.handle(context, reply -> {
            if (reply instanceof RpcReply.Result
                    || ((RpcReply.Failure) reply).kind() == RpcReply.FailureKind.UNAVAILABLE) {
                forget.run();
            }
            sink.accept(reply);
        });
    }
}
