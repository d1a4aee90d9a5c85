package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodPattern;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Refuses methods that the caller's key may not use. Thread-safe. */
final class AdmitStage implements Stage {

    private final Stage next;
    private final boolean known;

    /**
     * Makes the stage.
     *
     * @param known whether the catalogue or a plugin knows the methods of these calls
     */
    AdmitStage(Stage next, boolean known) {
        this.next = next;
        this.known = known;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        String method = context.call().method();
        if (context.caller().mayCall(method)) {
            next.handle(context, sink);
        } else if (!known && MethodPattern.isOfWallet(method)) {
            // Clients ask for wallet methods to find out what there is, and fall back on -32601 alone.
            PolicyStage.DENY.handle(context, sink);
        } else {
            RpcError error = ErrorCode.FORBIDDEN.error("this api key may not use the method " + method);
            sink.accept(new RpcReply.Failure(error, FailureKind.FORBIDDEN, 0));
        }
    }
}
