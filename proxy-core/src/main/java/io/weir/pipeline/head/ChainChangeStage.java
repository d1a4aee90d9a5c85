package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Stage of methods that change a development node's chain by hand. After such a call the head is doubtful, unless the node refused
 * it: a node without the method has changed nothing. Thread-safe.
 */
public final class ChainChangeStage implements Stage {

    private final HeadTracker head;
    private final MiningOnDemand mining;
    private final Stage next;

    public ChainChangeStage(HeadTracker head, MiningOnDemand mining, Stage next) {
        this.head = head;
        this.mining = mining;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        next.handle(context, reply -> {
            if (reply instanceof RpcReply.Result) {
                mining.changedByHand();
                head.written();
            } else if (((RpcReply.Failure) reply).kind() == FailureKind.UNAVAILABLE) {
                head.written();
            }
            sink.accept(reply);
        });
    }
}
