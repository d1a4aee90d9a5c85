package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/**
 * A sink that takes one reply and no more, and is answered where a stage behind it fails. Whatever waits for the reply stands
 * behind the sink, so that a failure gives back what the call holds. Confined to the call's event loop.
 */
public final class CallGuard implements ReplySink {

    private final CallContext context;
    private final ReplySink sink;
    private final @Nullable CallGuard outer;
    private boolean done;

    /** Guards a sink; failures of the call come to it before they come to the guards that were there before. */
    public CallGuard(CallContext context, ReplySink sink) {
        this.context = context;
        this.sink = sink;
        this.outer = context.guard();
        context.guardedBy(this);
    }

    /** Passes the call on to a stage. */
    public void pass(Stage stage) {
        try {
            stage.handle(context, this);
        } catch (RuntimeException | Error e) {
            context.failed(e);
        }
    }

    @Override
    public void accept(RpcReply reply) {
        if (!done) {
            done = true;
            sink.accept(reply);
        }
    }

    boolean isDone() {
        return done;
    }

    @Nullable
    CallGuard outer() {
        return outer;
    }
}
