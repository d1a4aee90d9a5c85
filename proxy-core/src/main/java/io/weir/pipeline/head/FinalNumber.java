package io.weir.pipeline.head;

import io.weir.chain.Finality;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.upstream.NetworkHead;
import java.util.function.LongConsumer;

/**
 * The number that stands for {@code safe} or {@code finalized} in calls: the one on which the nodes agree, or a number below the head
 * if no node ever had the tag. Thread-safe.
 */
record FinalNumber(NetworkHead head) {

    /**
     * Finds the number for one call of a network whose nodes agree on finality. Does one of three things, on the call's event loop.
     *
     * @param byDepth whether a number below the head may stand for the tag
     * @param found receives the number
     * @param unknown runs if the call has to go on with the tag
     * @param sink receives the failure of the call while the nodes agree on nothing
     */
    void find(
            BlockTag tag, boolean byDepth, CallContext context, LongConsumer found, Runnable unknown, ReplySink sink) {
        head.whenAgreed(
                context.loop(),
                tag,
                context.deadlineNanos(),
                known -> context.step(() -> {
                    if (known.number() >= 0 && !known.byDepth()) {
                        found.accept(known.number());
                    } else if (!byDepth) {
                        unknown.run();
                    } else if (known.byDepth()) {
                        head.whenFresh(
                                context.loop(),
                                context.deadlineNanos(),
                                number -> context.step(() -> {
                                    if (number < 0) {
                                        unknown.run();
                                    } else {
                                        Finality finality = head.finality();
                                        long under = Math.max(known.number(), finality.underHead(number));
                                        finality.used(tag, under);
                                        found.accept(under);
                                    }
                                }));
                    } else {
                        // A node that names the tag may be out of reach: any number may be above its final block.
                        sink.accept(RpcReply.unavailable("no upstream could answer: " + tag.text()
                                + ": nodes name no common block yet (expected: two that name one)"));
                    }
                }));
    }
}
