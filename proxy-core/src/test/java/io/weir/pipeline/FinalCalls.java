package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.chain.Finality;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.upstream.CallCause;

/** Asks the node of a test for its final block by a call, as the pool asks nodes. */
public final class FinalCalls {

    private FinalCalls() {}

    /** Asks, and then runs the action. */
    public static void ask(Stage node, NetworkId network, EventLoop loop, long head, Finality finality, Runnable then) {
        long now = System.nanoTime();
        CallContext context = new CallContext(
                ChainCalls.blockByTag(BlockTag.FINALIZED),
                CallCause.FOLLOWER,
                network,
                loop,
                now,
                now + 5_000_000_000L);
        node.handle(context, reply -> {
            if (reply instanceof RpcReply.Result result && !result.value().equals(RawJson.NULL)) {
                AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, result.value());
                if (facts != null) {
                    finality.named(BlockTag.FINALIZED, "node", facts.number(), facts.hash(), head);
                }
            } else if (!(reply instanceof RpcReply.Failure failure) || failure.kind() == FailureKind.ANSWER) {
                finality.lacks(BlockTag.FINALIZED, "node");
            }
            finality.conclude(BlockTag.FINALIZED, head, true, true);
            then.run();
        });
    }
}
