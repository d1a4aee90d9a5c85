package io.weir.pipeline.head;

import io.weir.chain.HeadTracker;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Stage that notes calls which may change the head. Such a call is a transaction, which a development node mines at once, or
 * an unknown method, which may mine or roll back. The node may have executed it whatever the answer, and without any answer
 * in time. Thread-safe.
 */
public final class WriteStage implements Stage {

    private final HeadTracker head;
    private final Stage next;

    /** Creates the stage of a method that may change the head. */
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
