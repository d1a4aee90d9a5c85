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
    private final boolean lenient;
    private final CallMeters meters;
    private final Stage next;

    /** @param lenient whether callers may leave out parameters that some nodes allow them to leave out */
    ValidateStage(MethodParams params, boolean lenient, CallMeters meters, Stage next) {
        this.params = params;
        this.lenient = lenient;
        this.meters = meters;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams checked;
        try {
            checked = params.check(context.call().params(), lenient);
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
