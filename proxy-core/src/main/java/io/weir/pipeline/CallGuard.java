package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/**
 * Sink that takes one reply only, and gets an internal error if a stage behind it fails. Everything that waits for the reply is
 * behind this sink, so that a failure releases what the call holds. Confined to the call's event loop.
 */
public final class CallGuard implements ReplySink {

    private final CallContext context;
    private final ReplySink sink;
    private final @Nullable CallGuard outer;
    private boolean done;

    /** Guards a sink. Failures of the call reach it before the guards that were set earlier. */
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

    /** Returns whether it has taken a reply. */
    boolean isDone() {
        return done;
    }

    /** Returns the guard that was set before it; null if there was none. */
    @Nullable
    CallGuard outer() {
        return outer;
    }
}
