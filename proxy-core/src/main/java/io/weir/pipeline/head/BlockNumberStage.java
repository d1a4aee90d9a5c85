package io.weir.pipeline.head;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockIds;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;

/**
 * Stage that answers the call for the number of the newest block with the head to which all calls are held. If no node names one, the call is
 * forwarded like any other, so that it fails like any other. Thread-safe.
 */
public record BlockNumberStage(NetworkHead head, BlockIds blocks, Stage next) implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        head.whenFresh(
                context.loop(),
                context.deadlineNanos(),
                number -> context.step(() -> {
                    if (number >= 0) {
                        sink.accept(new RpcReply.Result(blocks.number(number)));
                    } else {
                        next.handle(context, reply -> sink.accept(atLeastKnown(context, reply)));
                    }
                }));
    }

    /** Returns the known head if there is one, because a single node must not move the head. */
    private RpcReply atLeastKnown(CallContext context, RpcReply reply) {
        if (!(reply instanceof RpcReply.Result result)) {
            return reply;
        }
        String upstream = context.trace().upstreamId();
        if (upstream != null) {
            head.seen(upstream, blocks.number(result.value()));
        }
        long known = head.tracker().number();
        return known >= 0 ? new RpcReply.Result(blocks.number(known)) : reply;
    }
}
