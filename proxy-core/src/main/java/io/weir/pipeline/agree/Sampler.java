package io.weir.pipeline.agree;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.upstream.CallCause;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sampler of one network's unproven results: asks another node for the same result, and a third one if the two differ. The node that
 * two others contradict is charged. Only results that all nodes give alike are sampled. Thread-safe; each sample stays on its call's
 * event loop.
 */
public final class Sampler {

    /** Samples at once. */
    static final int MAX_SAMPLES = 16;

    /** The longest result that is sampled, in bytes. */
    static final int MAX_BYTES = 256 * 1024;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final NetworkId network;
    private final Nodes nodes;
    private final MisbehaviourTracker misbehaviour;
    private final EnumCounters<Outcome> outcomes;
    private final double share;
    private final RandomGenerator random;
    private final Semaphore running = new Semaphore(MAX_SAMPLES);

    /** Outcome of a sample. */
    enum Outcome {
        /** Another node gave an equal result. */
        EQUAL,
        /** The results of two nodes differ, and a third node's equals one of them. */
        DIFFERENT,
        /** The results of two nodes differ, and no third node's equals one of them. */
        UNDECIDED,
        /** No other node gave a result, or none could be asked. */
        SKIPPED
    }

    /** Result that a node gave. Immutable. */
    public record NodeResult(String upstreamId, RawJson value) {}

    /**
     * @param share of the results that are sampled, from 0 to 1
     * @param random draws them
     */
    public Sampler(
            NetworkId network,
            Nodes nodes,
            MisbehaviourTracker misbehaviour,
            Meters meters,
            double share,
            RandomGenerator random) {
        this.network = network;
        this.nodes = nodes;
        this.misbehaviour = misbehaviour;
        this.outcomes = new EnumCounters<>(meters, Meter.SAMPLES, Outcome.class, network.name());
        this.share = share;
        this.random = random;
    }

    /** Returns whether to sample a result, by chance. */
    public boolean isDue() {
        return share > 0 && random.nextDouble() < share;
    }

    /**
     * Samples a result; called on the loop.
     *
     * @param number of the final block that the result is about
     * @param sink gets once, on the loop, the result that may be stored, which may be another node's; null if none may
     */
    public void take(RpcCall call, long number, NodeResult first, EventLoop loop, Consumer<@Nullable NodeResult> sink) {
        MethodFacts facts = MethodCatalogue.ofName(call.method());
        if (!facts.isComparable() || call.params() == null) {
            sink.accept(first);
            return;
        }
        if (first.value().length() > MAX_BYTES || !running.tryAcquire()) {
            outcomes.count(Outcome.SKIPPED);
            sink.accept(first);
            return;
        }
        // A client's bytes are not held for as long as a node may take.
        RpcCall again = new RpcCall(RawJson.NULL, call.method(), call.params().compact());
        new Sample(this, facts, again, number, first, loop, sink).run();
    }

    /**
     * Asks another node about a final block; called on the loop.
     *
     * @param besides the nodes that are not asked
     * @param sink gets its result once, on the loop; null if there is none
     */
    public void ask(
            RpcCall call, long number, EventLoop loop, Set<String> besides, Consumer<@Nullable NodeResult> sink) {
        long now = System.nanoTime();
        CallContext context = new CallContext(call, CallCause.SAMPLE, network, loop, now, now + TIMEOUT_NANOS);
        context.setRoute(context.route().toBlock(number, true));
        new CallGuard(context, reply -> sink.accept(result(reply, context, besides)))
                .pass(nodes.without().apply(besides));
    }

    /** Returns the result of another node in good health; null if there is none. A node that has nothing contradicts nobody. */
    private static @Nullable NodeResult result(RpcReply reply, CallContext context, Set<String> besides) {
        String id = context.trace().upstreamId();
        if (id == null || besides.contains(id) || context.trace().degraded()) {
            return null;
        }
        return reply instanceof RpcReply.Result result && !result.value().equals(RawJson.NULL)
                ? new NodeResult(id, result.value())
                : null;
    }

    /**
     * Charges a node that two others contradict. A call that executes code costs no health: settings of nodes change its result, and
     * any client can choose code that shows them. Neither does a trace, in which nodes of different makers may differ.
     */
    private void charge(NodeResult odd, RawJson expected, MethodFacts facts, long number) {
        String detail = "block " + number + ": " + CommonForm.shown(odd.value()) + " (expected: "
                + CommonForm.shown(expected) + ")";
        misbehaviour.outvoted(odd.upstreamId(), facts.name(), detail, !facts.executes() && !facts.givesJson());
    }

    /** One sample of a result. Confined to its event loop. */
    private record Sample(
            Sampler sampler,
            MethodFacts facts,
            RpcCall call,
            long number,
            NodeResult first,
            EventLoop loop,
            Consumer<@Nullable NodeResult> sink) {

        void run() {
            ask(Set.of(first.upstreamId()), this::compare);
        }

        private void ask(Set<String> besides, Consumer<@Nullable NodeResult> then) {
            sampler.ask(call, number, loop, besides, then);
        }

        private void compare(@Nullable NodeResult second) {
            if (second == null) {
                end(Outcome.SKIPPED, first);
            } else if (areEqual(first, second)) {
                end(Outcome.EQUAL, first);
            } else {
                ask(Set.of(first.upstreamId(), second.upstreamId()), third -> decide(second, third));
            }
        }

        private void decide(NodeResult second, @Nullable NodeResult third) {
            if (third != null && areEqual(third, first)) {
                end(first, second);
            } else if (third != null && areEqual(third, second)) {
                end(second, first);
            } else {
                end(Outcome.UNDECIDED, null);
            }
        }

        private void end(NodeResult right, NodeResult odd) {
            // Each must be done even if the other fails.
            try {
                end(Outcome.DIFFERENT, right);
            } finally {
                sampler.charge(odd, right.value(), facts, number);
            }
        }

        private void end(Outcome outcome, @Nullable NodeResult result) {
            sampler.running.release();
            sampler.outcomes.count(outcome);
            sink.accept(result);
        }

        private boolean areEqual(NodeResult one, NodeResult other) {
            return CommonForm.of(facts, one.value(), Set.of()).equals(CommonForm.of(facts, other.value(), Set.of()));
        }
    }
}
