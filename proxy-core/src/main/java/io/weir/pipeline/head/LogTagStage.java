package io.weir.pipeline.head;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.LogEnd;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;
import io.weir.verify.Verification.Part;
import org.jspecify.annotations.Nullable;

/**
 * Stage that puts numbers in place of tags within a log filter. {@code latest} becomes the number of the head, so that every node answers
 * for the same blocks. So does an end that is missing. {@code safe} and {@code finalized} become the numbers on which the nodes agree.
 * Else one node's word would decide which logs a client takes for final. Other ends of the range pass unchanged. Thread-safe.
 *
 * <p>A client that waits for final blocks asks from the next block on to {@code finalized}. While there is no such block, geth answers
 * with no logs, though it refuses numbers in that order. So no node is asked about them.
 */
public record LogTagStage(NetworkHead head, Stage next) implements Stage {

    /** Blocks by which clients may be ahead of the known head. Ranges further above it must not make the proxy ask all nodes. */
    private static final int MAX_AHEAD = 16;

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null || params.block() instanceof BlockSelector.Hash) {
            next.handle(context, sink);
        } else {
            replace(params, true, context, sink);
        }
    }

    private void replace(CheckedParams asked, boolean mayRepeat, CallContext context, ReplySink sink) {
        replace(
                LogEnd.FROM,
                context,
                sink,
                () -> replace(LogEnd.TO, context, sink, () -> send(asked, mayRepeat, context, sink)));
    }

    private void send(CheckedParams asked, boolean mayRepeat, CallContext context, ReplySink sink) {
        CheckedParams replaced = context.checkedParams();
        CheckedParams params = replaced == null ? asked : replaced;
        boolean inverted = !params.equals(asked) && isInverted(params);
        if (inverted && (isFinal(LogEnd.FROM.tag(asked)) || isFinal(LogEnd.TO.tag(asked)))) {
            // No block, no log. Clients do not see the parts, because no result was judged.
            context.trace().markVerified(Part.NO_LOGS);
            sink.accept(new RpcReply.Result(RawJson.EMPTY_ARRAY));
            return;
        }
        if (inverted) {
            context.checked(asked);
        }
        if (inverted && mayRepeat && LogEnd.FROM.number(params) - head.tracker().number() <= MAX_AHEAD) {
            // The client has heard of a block above the known head.
            head.tracker().outdate();
            replace(asked, false, context, sink);
        } else {
            // Nodes have errors of their own for a range above the head.
            next.handle(context, sink);
        }
    }

    private static boolean isFinal(@Nullable BlockTag tag) {
        return tag == BlockTag.SAFE || tag == BlockTag.FINALIZED;
    }

    private static boolean isInverted(CheckedParams params) {
        long last = LogEnd.TO.number(params);
        return last >= 0 && LogEnd.FROM.number(params) > last;
    }

    private void replace(LogEnd end, CallContext context, ReplySink sink, Runnable then) {
        CheckedParams params = context.checkedParams();
        BlockTag tag = params == null ? null : end.tag(params);
        if (params != null && tag == BlockTag.LATEST) {
            latest(end, params, context, then);
            return;
        }
        if (params == null || tag == null || head.finality().isAlone() || !isFinal(tag)) {
            then.run();
            return;
        }
        HeadStage.whenAgreed(
                head,
                tag,
                true,
                context,
                found -> {
                    if (found >= 0) {
                        context.checked(end.atHeight(params, found));
                    }
                    then.run();
                },
                sink);
    }

    private void latest(LogEnd end, CheckedParams params, CallContext context, Runnable then) {
        HeadStage.whenFresh(head, context, number -> {
            if (number >= 0) {
                context.checked(end.atHeight(params, number));
            }
            then.run();
        });
    }
}
