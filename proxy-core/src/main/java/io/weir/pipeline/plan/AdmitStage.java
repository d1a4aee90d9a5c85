package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Refuses methods that the caller's key may not use. Thread-safe. */
final class AdmitStage implements Stage {

    private final Stage next;

    AdmitStage(Stage next) {
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        String method = context.call().method();
        if (context.caller().mayCall(method)) {
            next.handle(context, sink);
        } else {
            RpcError error = ErrorCode.FORBIDDEN.error("this api key may not use the method " + method);
            sink.accept(new RpcReply.Failure(error, FailureKind.FORBIDDEN, 0));
        }
    }
}
