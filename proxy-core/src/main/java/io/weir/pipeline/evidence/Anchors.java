package io.weir.pipeline.evidence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.cache.AnswerFacts;
import io.weir.chain.HeadMoment;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Canonical blocks by their height, each named by more than one upstream. Either several upstreams named a block to the chain
 * view, or a second upstream names it when it is asked. Final blocks are remembered, within a bound. Thread-safe.
 */
public final class Anchors {

    /** Stands for the store behind memory where a block is claimed: its word counts as that of one upstream, which is never blamed. */
    public static final String STORED = "";

    /** Final blocks that are remembered. */
    static final int MAX = 10_000;

    private static final long CONFIRMING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkChain chain;
    private final Nodes nodes;
    private final VerificationContext shared;
    private final int upstreams;
    private final Cache<Long, String> known =
            Caffeine.newBuilder().maximumSize(MAX).executor(OutOfMemory::run).build();

    /** How often everything was forgotten. */
    private volatile long forgotten;

    /**
     * When upstreams were asked. Immutable.
     *
     * @param moment a moment before: a block that became final since may have replaced the claimed one
     * @param forgotten how often everything had been forgotten by then
     */
    private record Begun(HeadMoment moment, long forgotten) {}

    /** Standing of a block at its height. */
    public enum Standing {
        /** It is the canonical one at its height. */
        CANONICAL,
        /** Another one is. */
        OTHER,
        /** Only one upstream names it. */
        UNKNOWN
    }

    /**
     * A block that one upstream names as the canonical one at its height. Immutable.
     *
     * @param hash in lower case
     * @param upstreamId or {@link #STORED}
     */
    public record ClaimedBlock(long number, String hash, String upstreamId) {}

    /**
     * Makes an empty memory.
     *
     * @param upstreams the number of the network's upstreams
     */
    public Anchors(NetworkChain chain, Nodes nodes, VerificationContext shared, int upstreams) {
        this.chain = chain;
        this.nodes = nodes;
        this.shared = shared;
        this.upstreams = upstreams;
    }

    /** Returns whether there is a second upstream to ask. */
    public boolean isPossible() {
        return upstreams > 1;
    }

    /** Returns the standing of a block without asking an upstream. */
    public Standing known(long number, String hash) {
        String remembered = known.getIfPresent(number);
        if (remembered != null) {
            return remembered.equals(hash) ? Standing.CANONICAL : Standing.OTHER;
        }
        return chain.view().isAgreed(number) && hash.equals(chain.view().hash(number))
                ? Standing.CANONICAL
                : Standing.UNKNOWN;
    }

    /** Returns whether the chain view has another block at the height of one that was canonical, perhaps since. */
    boolean isReplaced(ClaimedBlock claim) {
        return chain.view().hasOther(claim.number(), claim.hash());
    }

    /**
     * Asks another upstream about the highest final block of the chain view, unless several named it. Otherwise no block would
     * become final where the same upstream is always asked for the newest block.
     */
    public void confirmView(NetworkId network, EventLoop loop) {
        long number = Math.min(chain.finalized().number(), chain.view().top());
        String hash = number < 0 ? null : chain.view().hash(number);
        Set<String> namedBy = chain.view().namedBy();
        if (!isPossible() || hash == null || chain.view().isAgreed(number) || namedBy.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        RpcCall call = ChainCalls.blockByNumber(number);
        CallContext context = new CallContext(call, Caller.PROXY, network, loop, now, now + CONFIRMING_NANOS);
        vote(context, new ClaimedBlock(number, hash, ""), namedBy, second -> {
            if (second != null && second.hash().equals(hash)) {
                chain.view().agree(number, hash);
            }
        });
    }

    /** Forgets everything: the chain was replaced. */
    public synchronized void forget() {
        forgotten++;
        known.invalidateAll();
    }

    /**
     * Determines the standing of a block. Asks a second upstream if it is not known, and a third one if those two differ.
     *
     * @param sink called on the call's event loop
     */
    public void find(CallContext context, ClaimedBlock claim, Consumer<Standing> sink) {
        Standing standing = known(claim.number(), claim.hash());
        int voices = claim.upstreamId().equals(STORED) ? upstreams + 1 : upstreams;
        if (standing != Standing.UNKNOWN || voices < 2) {
            sink.accept(standing);
            return;
        }
        Begun begun = new Begun(nodes.head().tracker().now(), forgotten);
        vote(context, claim, Set.of(claim.upstreamId()), second -> {
            if (second == null) {
                sink.accept(Standing.UNKNOWN);
            } else if (second.hash().equals(claim.hash())) {
                settle(context, claim, begun, sink);
            } else if (voices < 3) {
                sink.accept(Standing.UNKNOWN);
            } else {
                third(context, claim, second, begun, sink);
            }
        });
    }

    private void third(
            CallContext context, ClaimedBlock first, ClaimedBlock second, Begun begun, Consumer<Standing> sink) {
        vote(context, first, Set.of(first.upstreamId(), second.upstreamId()), third -> {
            if (third == null) {
                sink.accept(Standing.UNKNOWN);
            } else if (third.hash().equals(first.hash())) {
                settle(context, first, begun, standing -> {
                    blame(second, begun, first.hash());
                    sink.accept(standing);
                });
            } else if (third.hash().equals(second.hash())) {
                settle(context, second, begun, standing -> {
                    blame(first, begun, second.hash());
                    sink.accept(Standing.OTHER);
                });
            } else {
                sink.accept(Standing.UNKNOWN);
            }
        });
    }

    /** Only at final heights: near the head honest nodes may differ for a while. */
    private void blame(ClaimedBlock claim, Begun begun, String hash) {
        boolean isOfNode = !claim.upstreamId().equals(STORED);
        if (isOfNode && wasFinal(claim, begun)) {
            String detail = "block " + claim.number() + ": " + claim.hash() + " (expected: " + hash + ")";
            shared.misbehaviour().refuted(claim.upstreamId(), ChainCalls.BLOCK_BY_NUMBER, Flaw.OTHER_BLOCK, detail);
        }
    }

    /** Returns whether a block was final when upstreams were asked, and the chain was not replaced since. */
    private boolean wasFinal(ClaimedBlock claim, Begun begun) {
        return begun.forgotten() == forgotten && chain.finalized().coveredBefore(begun.moment(), claim.number());
    }

    private synchronized void remember(ClaimedBlock claim, Begun begun) {
        if (wasFinal(claim, begun)) {
            known.put(claim.number(), claim.hash());
        }
    }

    private void settle(CallContext context, ClaimedBlock claim, Begun begun, Consumer<Standing> sink) {
        Runnable step = () -> {
            remember(claim, begun);
            sink.accept(Standing.CANONICAL);
        };
        chain.finality().whenKnown(context.loop(), claim.number(), () -> context.step(step));
    }

    /** Asks another upstream for its block at a height; the sink receives null if no upstream names one. */
    private void vote(
            CallContext context, ClaimedBlock claim, Set<String> besides, Consumer<@Nullable ClaimedBlock> sink) {
        CallContext sub = context.aside(ChainCalls.blockByNumber(claim.number()), CallCause.VERIFY);
        sub.setRoute(sub.route().toBlock(claim.number(), true).ofEvidence(NeededProof.ofHashes(null)));
        nodes.without().apply(besides).handle(sub, reply -> {
            String upstreamId = sub.trace().upstreamId();
            AnswerFacts block = reply instanceof RpcReply.Result result && shared.holds(sub.trace())
                    ? AnswerFacts.ofBlock(nodes.blocks(), result.value())
                    : null;
            if (block == null || upstreamId == null || besides.contains(upstreamId)) {
                sink.accept(null);
            } else {
                sink.accept(new ClaimedBlock(claim.number(), block.hash(), upstreamId));
            }
        });
    }
}
