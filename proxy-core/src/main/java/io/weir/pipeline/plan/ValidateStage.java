package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.ParamLimit;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Stage that refuses invalid parameters and normalises valid ones. Thread-safe. */
final class ValidateStage implements Stage {

    private final MethodParams params;
    private final CallMeters meters;
    private final Stage next;

    ValidateStage(MethodParams params, CallMeters meters, Stage next) {
        this.params = params;
        this.meters = meters;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams checked;
        try {
            checked = params.check(context.call().params());
        } catch (InvalidParamsException e) {
            ParamLimit limit = e.limit();
            if (limit != null) {
                meters.countOverLimit(limit);
            }
            sink.accept(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage())));
            return;
        }
        context.checked(checked);
        next.handle(context, sink);
    }
}
