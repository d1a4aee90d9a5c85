package io.weir.pipeline.plan;

import io.weir.access.KeyRefusal;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodFacts;
import io.weir.pipeline.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.tracing.CallSpan;
import io.weir.upstream.CallCause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plan of one method's calls on one network, made when the configuration is loaded. Every client's call enters here, alone or in a
 * batch: the plan counts and times it, admits it and tries the cache. Immutable and thread-safe.
 */
public final class MethodPlan {

    private final Stage counted = this::handle;
    private final MethodFacts facts;
    private final CallMeters.OfMethod meters;
    private final CallAdmission admission;
    private final @Nullable CachedReplies fastPath;
    private final Stage first;
    private final Stage internal;
    private final List<String> stages;
    /**
     * @param fastPath answers admitted calls before the stages; null if none does
     * @param path stages of clients' calls, behind the admission
     * @param internal first stage of the proxy's own calls, which never reach a plugin's handler
     */
    MethodPlan(
            MethodFacts facts,
            CallMeters.OfMethod meters,
            CallAdmission admission,
            @Nullable CachedReplies fastPath,
            StagePath path,
            Stage internal) {
        this.facts = facts;
        this.meters = meters;
        this.admission = admission;
        this.fastPath = fastPath;
        this.first = path.first();
        this.internal = internal;
        this.stages = stages(path);
    }

    /** Returns the facts of the method. */
    MethodFacts facts() {
        return facts;
    }

    /** Returns the method's name in metrics and traces: one of a bounded set. */
    String label() {
        return meters.label();
    }

    /** Returns whether large results may go on to clients while they arrive. */
    boolean streams() {
        return facts.mayStream();
    }

    private List<String> stages(StagePath path) {
        List<String> names = new ArrayList<>(List.of("Meter"));
        names.addAll(admission.steps());
        if (!admission.isDenial()) {
            if (fastPath != null) {
                names.add("FastPath");
            }
            names.addAll(path.names());
        }
        return List.copyOf(names);
    }

    /** Returns the names of all stages that a client's call may pass, in order. */
    public List<String> stages() {
        return stages;
    }

    /**
     * Admits a client's call and tries the cache. Returns the refusal or the cached reply, counted; null if {@link #run} must run
     * the call. If the cache fails, the call runs too.
     */
    @Nullable
    RpcReply answerAtOnce(CallContext context) {
        boolean admitted = false;
        try {
            RpcReply.Failure refusal = admission.refusal(context);
            if (refusal != null) {
                return refused(context, refusal);
            }
            admitted = true;
            RpcReply cached = fastPath == null ? null : fastPath.tryCached(context);
            return cached == null ? null : count(context, cached);
        } catch (RuntimeException | Error e) {
            // Nobody guards the call yet: this only logs.
            context.failed(e);
            return admitted ? null : RpcReply.INTERNAL;
        }
    }

    private RpcReply refused(CallContext context, RpcReply.Failure refusal) {
        if (refusal.kind() == FailureKind.FORBIDDEN) {
            boolean mayCall = context.caller().mayCall(context.call().method());
            context.caller().account().refused(mayCall ? KeyRefusal.CONTRACT : KeyRefusal.METHOD);
        }
        return count(context, refusal);
    }

    /** Runs a client's call that {@link #answerAtOnce} has admitted. The sink gets one reply, also if a stage fails. */
    void run(CallContext context, ReplySink sink) {
        new CallGuard(context, sink).pass(counted);
    }

    /** Passes an admitted call on to the stages; counts and times its reply. */
    private void handle(CallContext context, ReplySink sink) {
        first.handle(context, reply -> sink.accept(count(context, reply)));
    }

    /**
     * Passes a call of the proxy's own on to the stages. Skips the caller's rights, the meters and plugins' handlers. A method that is not
     * served still gives the evidence for others.
     */
    public void handleInternal(CallContext context, ReplySink sink) {
        RpcReply refusal = context.cause() == CallCause.VERIFY ? null : admission.refusalForAll(context);
        if (refusal == null) {
            internal.handle(context, sink);
        } else {
            sink.accept(refusal);
        }
    }

    private RpcReply count(CallContext context, RpcReply reply) {
        RpcReply counted = meters.count(context, reply, System.nanoTime() - context.startNanos());
        CallSpan span = context.trace().span();
        if (span != null) {
            RpcReply.Failure failure = reply instanceof RpcReply.Failure failed ? failed : null;
            span.end(
                    context.trace().cacheOutcome(),
                    failure == null ? 0 : failure.error().code(),
                    failure != null && failure.kind() != FailureKind.ANSWER);
        }
        return counted;
    }
}
