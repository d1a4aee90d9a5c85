package io.weir.pipeline.plan;

import io.weir.access.KeyRefusal;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPattern;
import io.weir.method.MethodPolicy;
import io.weir.method.MethodRole;
import io.weir.pipeline.CacheStages.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.tracing.CallSpan;
import io.weir.upstream.CallCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plan of one method's calls on one network, made when the configuration is loaded. Every client's call enters here, alone or in a
 * batch: the plan counts and times it, admits it and tries the cache. Immutable and thread-safe.
 */
public final class MethodPlan {

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private final Stage counted = this::handle;
    private final MethodFacts facts;
    private final CallMeters.OfMethod meters;
    private final boolean listsLogs;
    private final boolean denied;
    private final @Nullable MethodPolicy policy;
    private final ContractRule contracts;
    private final @Nullable CachedReplies fastPath;
    private final Stage first;
    private final Stage internal;
    private final List<String> stages;

    /**
     * Rule on which calls of a method a network answers. Immutable.
     *
     * @param denied whether it refuses every call
     * @param policy decides by name on methods outside the catalogue; null for those that the catalogue or a plugin knows
     * @param contracts for keys that are bound to contracts
     */
    record Rule(boolean denied, @Nullable MethodPolicy policy, ContractRule contracts) {

        /** Rule of a method that the network denies. */
        static final Rule DENIED = new Rule(true, null, ContractRule.ANY);
    }

    /**
     * @param fastPath answers admitted calls before the stages; null if none does
     * @param path stages of clients' calls, behind the admission
     * @param internal first stage of the proxy's own calls, which never reach a plugin's handler
     */
    MethodPlan(
            MethodFacts facts,
            CallMeters.OfMethod meters,
            Rule rule,
            @Nullable CachedReplies fastPath,
            StagePath path,
            Stage internal) {
        this.facts = facts;
        this.listsLogs = facts.cacheClass() == CacheClass.LOGS || facts.role() == MethodRole.FILTER_LOGS;
        this.meters = meters;
        this.denied = rule.denied();
        this.policy = rule.policy();
        this.contracts = rule.contracts();
        this.fastPath = fastPath;
        this.first = path.first();
        this.internal = internal;
        this.stages = stages(path);
    }

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
        if (denied) {
            return List.of("Meter", "Deny");
        }
        List<String> names = new ArrayList<>(List.of("Meter"));
        if (policy != null) {
            names.add("Policy");
        }
        names.add("Admit");
        if (fastPath != null) {
            names.add("FastPath");
        }
        names.addAll(path.names());
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
            RpcReply.Failure refusal = refusal(context);
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

    /** Returns the refusal of a client's call, or null if the call is admitted. */
    private RpcReply.@Nullable Failure refusal(CallContext context) {
        RpcReply.Failure notServed = refusalForAll(context);
        String method = context.call().method();
        if (notServed != null) {
            return notServed;
        }
        if (context.caller().mayCall(method)) {
            Set<RawJson> bound = context.caller().bounds().contracts();
            return bound == null ? null : contracts.refusal(context.call(), bound);
        }
        if (policy != null && MethodPattern.isOfWallet(method)) {
            // Clients ask for wallet methods to find out what there is, and fall back on -32601 alone.
            return doesNotExist(method);
        }
        RpcError error = ErrorCode.FORBIDDEN.error("this api key may not use the method " + method);
        return new RpcReply.Failure(error, FailureKind.FORBIDDEN, 0);
    }

    /** Returns the refusal of a call that nobody may make, not even the proxy; null if somebody may. */
    private RpcReply.@Nullable Failure refusalForAll(CallContext context) {
        String method = context.call().method();
        return denied || (policy != null && !policy.serves(method, false)) ? doesNotExist(method) : null;
    }

    /** Returns a failure that says, in geth's words, that the method does not exist. Replaces control characters of its name. */
    static RpcReply.Failure doesNotExist(String method) {
        String shown = UNPRINTABLE.matcher(method).replaceAll("\ufffd");
        return RpcReply.failure(
                ErrorCode.METHOD_NOT_FOUND.error("the method " + shown + " does not exist/is not available"));
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
        RpcReply refusal = context.cause() == CallCause.VERIFY ? null : refusalForAll(context);
        if (refusal == null) {
            internal.handle(context, sink);
        } else {
            sink.accept(refusal);
        }
    }

    private RpcReply count(CallContext context, RpcReply reply) {
        if (listsLogs && !(reply instanceof RpcReply.Failure)) {
            meters.countLogs(context.trace().gradeLogs());
        }
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

    /**
     * Stages that calls pass one after the other. Immutable.
     *
     * @param names of the stages, in order: the names of their classes without {@code Stage}
     * @param first stage, which passes calls on to the others
     */
    record StagePath(List<String> names, Stage first) {

        private static final String SUFFIX = "Stage";

        /**
         * Builds the stages from the last to the first.
         *
         * @param steps make the stages before the last, in order, each from the stage behind it; a step that returns that stage adds
         *     none
         * @param last stage, which answers every call that reaches it
         */
        @SuppressWarnings("ReferenceEquality") // The stage itself, and not one like it, says that none was added.
        static StagePath of(List<UnaryOperator<Stage>> steps, Stage last) {
            List<String> names = new ArrayList<>();
            names.add(name(last));
            Stage first = last;
            for (int i = steps.size() - 1; i >= 0; i--) {
                Stage made = steps.get(i).apply(first);
                if (made != first) {
                    names.add(name(made));
                    first = made;
                }
            }
            Collections.reverse(names);
            return new StagePath(List.copyOf(names), first);
        }

        private static String name(Stage stage) {
            String name = stage.getClass().getSimpleName();
            return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        }
    }
}
