package io.weir.pipeline.agree;

import io.weir.chain.Finality;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.AgreeConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPattern;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Route;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Agreement of one network's nodes on calls: makes the stages, and holds what their calls share. Thread-safe. */
public final class Agreements {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Agreements.class));

    private final NetworkConfig config;
    private final Nodes nodes;
    private final MisbehaviourTracker misbehaviour;
    private final Finality finalized;
    private final Budget bytes;
    private final EnumCounters<Outcome> outcomes;

    /** Outcome of one call, once all nodes have answered or failed. */
    enum Outcome {
        /** All answers were equal. */
        EQUAL,
        /** Enough answers were equal, and another one was not. */
        DIFFERENT,
        /** The answers differed, and too few of them were equal. */
        UNDECIDED,
        /** Too few nodes answered, without a contradiction. */
        UNANSWERED
    }

    /**
     * @param misbehaviour learns of answers that others contradict
     * @param bytes the budget of answers in flight
     */
    public Agreements(
            NetworkConfig config,
            Nodes nodes,
            MisbehaviourTracker misbehaviour,
            Finality finalized,
            Budget bytes,
            Meters meters) {
        this.config = config;
        this.nodes = nodes;
        this.misbehaviour = misbehaviour;
        this.finalized = finalized;
        this.bytes = bytes;
        this.outcomes = new EnumCounters<>(meters, Meter.AGREEMENTS, Outcome.class, config.name());
    }

    /**
     * Returns whether several nodes may get calls of a method. They may if a call is safe to repeat, and if it is not cut into calls to
     * the nodes that take its pieces, as it is unless the network names the method.
     */
    public static boolean isPossible(MethodFacts facts, AgreeConfig agree) {
        return facts.repeatable()
                && (facts.cacheClass() != CacheClass.LOGS || agree.methods().contains(facts.name()));
    }

    /** Returns the stage that has nodes agree on calls of a method; {@code next} if they need not. */
    public Stage before(MethodFacts facts, Stage next) {
        List<String> methods = config.agree().methods();
        return MethodPattern.anyMatches(methods, facts.name()) && isPossible(facts, config.agree())
                ? new AgreeStage(facts, next)
                : next;
    }

    /** Returns whether a block can no longer be replaced, so that honest nodes know the same one. */
    private boolean isFinal(long block) {
        return block > 0 && finalized.covers(block);
    }

    /**
     * Stage that sends a call to several nodes at once, and answers once enough of their answers are equal. Calls about pending blocks go
     * to one node, because each node has its own. Thread-safe.
     */
    private final class AgreeStage implements Stage {

        private final MethodFacts facts;
        private final Stage next;

        AgreeStage(MethodFacts facts, Stage next) {
            this.facts = facts;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            if (isPending(context.checkedParams())) {
                next.handle(context, sink);
                return;
            }
            context.setRoute(context.route().inWhole());
            AgreedCall agreed = new AgreedCall(facts, context, sink);
            nodes.picking().whenProbed(context, agreed::begin);
        }

        private static boolean isPending(@Nullable CheckedParams params) {
            return params != null && params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
        }
    }

    /**
     * Call to which several nodes must give equal answers. Each node gets the call once. Another node takes the place of one that fails, but
     * not of one that answers otherwise. Answers that come after the client got its own are still compared. Confined to the call's event
     * loop.
     */
    private final class AgreedCall {

        private final MethodFacts facts;
        private final CallContext context;
        private final ReplySink sink;
        private final int needed;
        private final Set<String> asked = new HashSet<>();
        private final List<NodeAnswer> answers = new ArrayList<>();
        /** The first reply of each kind of answer, until the client has its answer. */
        private final Map<String, Candidate> candidates = new LinkedHashMap<>();

        private Reservation held;
        private int running;
        private boolean beginning;
        private boolean replied;
        /** Print of the answer that enough nodes gave; null until they have. */
        private @Nullable String agreed;

        private @Nullable RpcReply lastFailure;

        /** Reply that the client gets if enough nodes give it. Immutable. */
        private record Candidate(RpcReply reply, CallTrace trace) {}

        AgreedCall(MethodFacts facts, CallContext context, ReplySink sink) {
            this.facts = facts;
            this.context = context;
            this.sink = sink;
            // More than half: two groups of nodes that contradict each other cannot both have so many.
            this.needed = config.agree().of() / 2 + 1;
            this.held = bytes.reserve(context.holder());
        }

        void begin() {
            beginning = true;
            for (int i = 0; i < config.agree().of() && ask(); i++) {
                // Nodes that answer at once count after all were asked.
            }
            beginning = false;
            settle();
        }

        /** Asks one more node. Returns false if none is left. */
        private boolean ask() {
            String id = nodes.picking().pick(context, asked);
            if (id == null || !asked.add(id)) {
                return false;
            }
            running++;
            CallContext aside = context.aside(context.call(), asked.size() > 1 ? CallCause.AGREE : context.cause());
            if (context.checkedParams() != null) {
                aside.checked(context.checkedParams());
            }
            NodeAnswer.Attempts attempts = new NodeAnswer.Attempts(() -> guarded(this::replace));
            aside.setRoute(aside.route().observedBy(attempts));
            new CallGuard(aside, reply -> guarded(() -> ended(id, aside.trace(), attempts, reply)))
                    .pass(nodes.only().apply(id));
            return true;
        }

        /** Gives the budget back if a step fails. The call itself is answered by its guard. */
        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                replied = true;
                held.close();
                throw e;
            }
        }

        /** Asks another node at once in place of one that failed, which may still answer after a wait. */
        private void replace() {
            if (!replied && context.millisLeft(System.nanoTime()) > 0) {
                ask();
            }
        }

        private void ended(String id, CallTrace trace, NodeAnswer.Attempts attempts, RpcReply reply) {
            running--;
            NodeAnswer answer =
                    NodeAnswer.of(id, facts, reply, attempts, config.agree().ignore());
            if (answer == null) {
                lastFailure = reply;
                if (!attempts.hasFailed()) {
                    replace();
                }
            } else {
                answers.add(answer);
                if (!replied) {
                    keep(answer, new Candidate(reply, trace));
                }
            }
            settle();
        }

        private void keep(NodeAnswer answer, Candidate candidate) {
            if (candidates.containsKey(answer.print())) {
                return;
            }
            if (candidate.reply() instanceof RpcReply.Result result) {
                held.add(result.value().length());
                candidates.put(
                        answer.print(),
                        new Candidate(new RpcReply.Result(result.value().compact()), candidate.trace()));
            } else {
                candidates.put(answer.print(), candidate);
            }
        }

        /** Replies as soon as it is clear what to reply, and compares once all nodes are done. */
        private void settle() {
            if (beginning) {
                return;
            }
            if (!replied) {
                decide();
            }
            if (running == 0) {
                compare();
            }
        }

        private void decide() {
            long most = 0;
            for (Map.Entry<String, Candidate> candidate : candidates.entrySet()) {
                long equal = count(candidate.getKey());
                most = Math.max(most, equal);
                if (equal >= needed) {
                    agreed = candidate.getKey();
                    context.trace().askedAs(candidate.getValue().trace());
                    reply(candidate.getValue().reply());
                    return;
                }
            }
            if (most + running < needed) {
                candidates.values().forEach(candidate -> context.trace().askedAs(candidate.trace()));
                reply(failure());
            }
        }

        private long count(String print) {
            return answers.stream()
                    .filter(answer -> answer.print().equals(print))
                    .count();
        }

        private void reply(RpcReply reply) {
            replied = true;
            candidates.clear();
            Reservation mine = held;
            held = bytes.reserve(context.holder());
            mine.handOver(() -> sink.accept(reply));
        }

        private RpcReply failure() {
            if (candidates.size() > 1) {
                return RpcReply.failure(ErrorCode.NO_AGREEMENT.error("upstreams do not agree: " + candidates.size()
                        + " different answers (expected: " + needed + " equal ones)"));
            }
            if (answers.isEmpty() && lastFailure != null) {
                return lastFailure;
            }
            return RpcReply.unavailable(
                    "too few upstreams answered: " + answers.size() + " (expected: " + needed + ")");
        }

        private void compare() {
            boolean same = answers.stream().map(NodeAnswer::print).distinct().count() < 2;
            Outcome outcome = agreed == null
                    ? (same ? Outcome.UNANSWERED : Outcome.UNDECIDED)
                    : (same ? Outcome.EQUAL : Outcome.DIFFERENT);
            outcomes.count(outcome);
            if (outcome == Outcome.DIFFERENT) {
                chargeOddOnes();
            } else if (outcome == Outcome.UNDECIDED) {
                NodeAnswer first = answers.get(0);
                NodeAnswer other = answers.stream()
                        .filter(answer -> !answer.print().equals(first.print()))
                        .findFirst()
                        .orElse(first);
                LOG.warn("network " + config.name() + ": upstreams " + first.upstreamId() + " and "
                        + other.upstreamId() + " do not agree on " + facts.name() + ", block "
                        + context.route().block()
                        + ": "
                        + first.shown() + " and " + other.shown());
            }
        }

        /**
         * Charges nodes that enough others contradict. It costs health only where honest nodes cannot differ: about final blocks, and not
         * for code, which settings of nodes and any client can make differ, or for traces of nodes of different makers.
         */
        private void chargeOddOnes() {
            NodeAnswer right = answers.stream()
                    .filter(answer -> answer.print().equals(agreed))
                    .findFirst()
                    .orElseThrow();
            long block = context.route().block();
            boolean costs = facts.isComparable() && !facts.executes() && !facts.givesJson() && isFinal(block);
            for (NodeAnswer answer : answers) {
                if (!answer.print().equals(agreed) && !answer.nothing() && !right.nothing()) {
                    String detail = "block " + block + ": " + answer.shown() + " (expected: " + right.shown() + ")";
                    misbehaviour.outvoted(answer.upstreamId(), facts.name(), detail, costs);
                }
            }
        }
    }

    /**
     * Answer of one node as others are compared with it. Results that are equal in the common form have equal prints; errors have if their
     * class is the same, reverts if their data is. Immutable.
     *
     * @param print of what is compared
     * @param shown for logs: the beginning of a result, or the class of an error
     * @param nothing whether the node found nothing, which contradicts no node that found something
     */
    private record NodeAnswer(String upstreamId, String print, String shown, boolean nothing) {

        /** Longer results are compared as they came: to parse them would keep the event loop from its work. */
        private static final int MAX_PARSED = 256 * 1024;

        /** Code of a revert, in the form that all nodes' reverts get. */
        private static final int REVERT = 3;

        /** Observer of the attempts at one node, which may be asked again after a wait. Confined to the call's event loop. */
        static final class Attempts implements Route.Observer {

            private final Runnable failed;
            private boolean hasFailed;
            private @Nullable NodeOutcome last;

            /** @param failed runs after the first attempt that brought no answer */
            Attempts(Runnable failed) {
                this.failed = failed;
            }

            @Override
            public void ended(String upstreamId, NodeOutcome outcome) {
                last = outcome;
                boolean answers = outcome instanceof Answered answered
                        && (answered.verdict() == null
                                || answered.verdict().isNothingFound()
                                || isAboutCall(answered.verdict()));
                if (!answers && !hasFailed) {
                    hasFailed = true;
                    failed.run();
                }
            }

            boolean hasFailed() {
                return hasFailed;
            }
        }

        /**
         * Returns the answer of a node; null if it gave none, because it failed or lacks what the call needs.
         *
         * @param ignored names of members that are not compared
         */
        static @Nullable NodeAnswer of(
                String upstreamId, MethodFacts facts, RpcReply reply, Attempts attempts, Set<String> ignored) {
            if (reply instanceof RpcReply.Result result) {
                RawJson value = result.value();
                RawJson form = value.length() > MAX_PARSED ? value : CommonForm.of(facts, value, ignored);
                return new NodeAnswer(upstreamId, print(form), CommonForm.shown(value), value.equals(RawJson.NULL));
            }
            Verdict verdict = attempts.last instanceof Answered answered ? answered.verdict() : null;
            return verdict != null && isAboutCall(verdict)
                    ? ofError(upstreamId, verdict, ((RpcReply.Failure) reply))
                    : null;
        }

        /** Returns whether such an error is about the call. Others are about the node. */
        private static boolean isAboutCall(Verdict verdict) {
            return verdict.is(ErrorClass.EXECUTION_VERDICT)
                    || verdict.is(ErrorClass.CLIENT_MISTAKE)
                    || verdict.is(ErrorClass.UNKNOWN);
        }

        private static NodeAnswer ofError(String upstreamId, Verdict verdict, RpcReply.Failure failure) {
            RawJson data = failure.error().data();
            boolean revert =
                    verdict.is(ErrorClass.EXECUTION_VERDICT) && failure.error().code() == REVERT;
            String shown = revert
                    ? "revert " + (data == null ? "" : CommonForm.shown(data))
                    : Objects.requireNonNull(verdict.errorClass()).label();
            String print = revert && data != null
                    ? "revert " + print(RawJson.of(data.toString().toLowerCase(Locale.ROOT)))
                    : shown;
            return new NodeAnswer(upstreamId, print, shown, false);
        }

        private static String print(RawJson value) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                digest.update(value.array(), value.offset(), value.length());
                return HexFormat.of().formatHex(digest.digest());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("SHA-256: not there (expected: every JVM has it)", e);
            }
        }
    }
}
