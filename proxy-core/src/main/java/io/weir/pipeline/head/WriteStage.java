package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.UnlistedMethods;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;

/**
 * Stage that lets clients read their own transactions. Thread-safe.
 *
 * <ul>
 *   <li>After a transaction that a node accepted, no call shares an answer from before it.
 *   <li>If nodes are known to mine on demand, the client gets its hash once its receipt is there. Nodes answer before they mine.
 *   <li>If nodes mine on demand, the head is doubtful after it. It is also doubtful if no node answered in time.
 *   <li>A refused transaction changes nothing, unless nodes are known to mine on demand: these mine transactions that fail.
 *   <li>An answer that names a block above the head raises the head.
 * </ul>
 *
 * @param calls makes the proxy's own calls
 */
public record WriteStage(NetworkHead head, MiningOnDemand mining, Stage calls, Stage next) implements Stage {

    /** Characters of a hash in quotes. */
    private static final int HASH_LENGTH = 68;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int PAUSE_GROWTH = 3;

    private static final SeenBlocks BLOCKS = SeenBlocks.of("blockNumber");

    @Override
    public void handle(CallContext context, ReplySink sink) {
        HeadTracker tracker = head.tracker();
        MiningOnDemand.Sent sent = mining.begin(tracker.number(), tracker.blockNanos());
        next.handle(context, reply -> {
            if (reply instanceof RpcReply.Result result) {
                mining.accepted(sent, head.tracker().number());
                whenMined(result.value(), context, () -> {
                    taken();
                    BLOCKS.note(head, context, result.value());
                    sink.accept(reply);
                });
            } else {
                failed(((RpcReply.Failure) reply).kind());
                sink.accept(reply);
            }
        });
    }

    private void whenMined(RawJson result, CallContext context, Runnable then) {
        long waitNanos = mining.waitNanos();
        if (waitNanos == 0 || result.first() != '"' || result.length() != HASH_LENGTH) {
            then.run();
            return;
        }
        RpcCall receipt = ChainCalls.receipt(result.toString().substring(1, HASH_LENGTH - 1));
        long now = System.nanoTime();
        long endNanos = now + Math.min(waitNanos, context.deadlineNanos() - now);
        look(receipt, context, endNanos, FIRST_PAUSE_NANOS, then);
    }

    private void look(RpcCall receipt, CallContext context, long endNanos, long pauseNanos, Runnable then) {
        CallContext own = context.aside(receipt, CallCause.FOLLOWER);
        own.moveDeadline(endNanos);
        calls.handle(own, reply -> {
            boolean mined =
                    reply instanceof RpcReply.Result found && found.value().first() == '{';
            if (mined || endNanos - System.nanoTime() <= pauseNanos) {
                mining.waited(mined);
                then.run();
            } else {
                Runnable again = () -> look(receipt, context, endNanos, PAUSE_GROWTH * pauseNanos, then);
                context.loop().schedule(() -> context.step(again), pauseNanos, TimeUnit.NANOSECONDS);
            }
        });
    }

    private void failed(FailureKind kind) {
        mining.ended();
        if (kind == FailureKind.UNAVAILABLE) {
            taken();
        } else if (kind == FailureKind.ANSWER && mining.isCertain()) {
            head.tracker().written();
        }
    }

    private void taken() {
        if (mining.isCertain()) {
            head.tracker().written();
        } else if (mining.isActive()) {
            head.tracker().perhapsWritten();
        } else {
            head.tracker().accepted();
        }
    }

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
}
