package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;
import java.util.Objects;

/**
 * Stage that lets clients read their own transactions. Thread-safe.
 *
 * <ul>
 *   <li>After a transaction that a node accepted, no call shares an answer from before it.
 *   <li>If nodes mine on demand, the head is doubtful after it. It is also doubtful if no node answered in time.
 *   <li>A refused transaction changes nothing, except on a chain that is known to mine on demand. There a node may answer with
 *       the error of a transaction that it has mined.
 *   <li>An answer that names a block above the head raises the head.
 * </ul>
 */
public final class WriteStage implements Stage {

    private static final SeenBlocks BLOCKS = Objects.requireNonNull(SeenBlocks.of("blockNumber"));

    private final NetworkHead head;
    private final MiningOnDemand mining;
    private final Stage next;

    /** Creates the stage of a method that sends transactions. */
    public WriteStage(NetworkHead head, MiningOnDemand mining, Stage next) {
        this.head = head;
        this.mining = mining;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        HeadTracker tracker = head.tracker();
        MiningOnDemand.Sent sent = mining.begin(tracker.number(), tracker.blockNanos());
        next.handle(context, reply -> {
            if (reply instanceof RpcReply.Result result) {
                accepted(sent, result, context);
            } else {
                failed(((RpcReply.Failure) reply).kind());
            }
            sink.accept(reply);
        });
    }

    private void accepted(MiningOnDemand.Sent sent, RpcReply.Result result, CallContext context) {
        mining.accepted(sent, head.tracker().number());
        taken();
        BLOCKS.note(head, context, result.value());
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
}
