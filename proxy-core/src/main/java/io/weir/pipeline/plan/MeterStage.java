package io.weir.pipeline.plan;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Counts a method's replies and times them. Thread-safe. */
final class MeterStage implements Stage {

    private final CallMeters.OfMethod meters;
    private final Stage next;

    MeterStage(CallMeters.OfMethod meters, Stage next) {
        this.meters = meters;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        next.handle(context, (RpcReply reply) -> {
            meters.count(reply, System.nanoTime() - context.startNanos());
            sink.accept(reply);
        });
    }
}
