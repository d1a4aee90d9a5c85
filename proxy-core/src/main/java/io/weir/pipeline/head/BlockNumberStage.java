package io.weir.pipeline.head;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;

/**
 * Answers {@code eth_blockNumber} with the head that all calls are held to. Where no node names one, the call goes upstream like
 * any other, so that it fails like any other. Thread-safe.
 */
public final class BlockNumberStage implements Stage {

    private final NetworkHead head;
    private final Stage next;

    /** Makes the stage. */
    public BlockNumberStage(NetworkHead head, Stage next) {
        this.head = head;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        head.whenFresh(
                context.loop(),
                context.deadlineNanos(),
                number -> context.step(() -> {
                    if (number >= 0) {
                        sink.accept(new RpcReply.Result(BlockNumberText.of(number)));
                    } else {
                        next.handle(context, reply -> sink.accept(atLeastKnown(reply)));
                    }
                }));
    }

    /** One node's word alone does not let the head go back. */
    private RpcReply atLeastKnown(RpcReply reply) {
        if (!(reply instanceof RpcReply.Result result)) {
            return reply;
        }
        head.tracker().raise(BlockNumberText.read(result.value()));
        long known = head.tracker().number();
        return known > BlockNumberText.read(result.value()) ? new RpcReply.Result(BlockNumberText.of(known)) : reply;
    }
}
