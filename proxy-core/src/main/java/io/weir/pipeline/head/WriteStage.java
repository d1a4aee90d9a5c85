package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Notes that a call may change the head: a transaction, which a development node mines at once, or a method that nobody knows,
 * such as one that mines or rolls back. Whatever the answer is, and also where there is none in time, the node may have carried
 * it out. Thread-safe.
 */
public final class WriteStage implements Stage {

    private final HeadTracker head;
    private final Stage next;

    /** Makes the stage of a method that may change the head. */
    public WriteStage(HeadTracker head, Stage next) {
        this.head = head;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        head.outdate();
        next.handle(context, reply -> {
            head.written();
            sink.accept(reply);
        });
    }
}
