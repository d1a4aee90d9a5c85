package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Stage that answers every call with the same error. Thread-safe. */
final class FixedFailureStage implements Stage {

    /** Stage of methods that would have to push messages later. */
    static final Stage NO_NOTIFICATIONS =
            new FixedFailureStage(RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("notifications not supported")));

    private final RpcReply reply;

    private FixedFailureStage(RpcReply reply) {
        this.reply = reply;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        sink.accept(reply);
    }
}
