package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.catalogue.UnlistedMethods;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Stage of methods that change a development node's chain by hand. After such a call the head is doubtful, and cached results are if the
 * method changes existing blocks; unless the node refused it: a node without the method has changed nothing. Thread-safe.
 *
 * @param forgetAll forgets all cached results of the network
 */
public record ChainChangeStage(HeadTracker head, MiningOnDemand mining, Runnable forgetAll, Stage next)
        implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        next.handle(context, reply -> {
            boolean done = reply instanceof RpcReply.Result;
            if (done || ((RpcReply.Failure) reply).kind() == FailureKind.UNAVAILABLE) {
                if (UnlistedMethods.mayReplaceState(context.call().method())) {
                    forgetAll.run();
                }
                if (done) {
                    mining.changedByHand();
                }
                head.written();
            }
            sink.accept(reply);
        });
    }
}
