package io.weir.pipeline.proof;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.proof.Found.Place;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.ProvenBlock;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which block is the canonical one at a height, by more than one upstream's word: the chain view's, where several upstreams named
 * it, or what a second upstream says when it is asked. What is final is remembered, within a bound. Thread-safe.
 */
public final class Anchors {

    /** Final blocks that are remembered. */
    static final int MAX = 10_000;

    private static final long CONFIRMING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkChain chain;
    private final Nodes nodes;
    private final Proofs.Desk desk;
    private final int upstreams;
    private final Cache<Long, String> known =
            Caffeine.newBuilder().maximumSize(MAX).executor(OutOfMemory::run).build();

    /** What is known of a block's place. */
    public enum Standing {
        /** It is the canonical one at its height. */
        CANONICAL,
        /** Another one is. */
        OTHER,
        /** One upstream alone says so. */
        UNKNOWN
    }

    Anchors(NetworkChain chain, Nodes nodes, Proofs.Desk desk, int upstreams) {
        this.chain = chain;
        this.nodes = nodes;
        this.desk = desk;
        this.upstreams = upstreams;
    }

    /** Whether there is a second upstream to ask. */
    boolean isPossible() {
        return upstreams > 1;
    }

    /** What is known without asking. */
    public Standing known(long number, String hash) {
        String remembered = known.getIfPresent(number);
        if (remembered != null) {
            return remembered.equals(hash) ? Standing.CANONICAL : Standing.OTHER;
        }
        return chain.view().isAgreed(number) && hash.equals(chain.view().hash(number))
                ? Standing.CANONICAL
                : Standing.UNKNOWN;
    }

    /**
     * Asks another upstream about the highest final block of the chain view, unless several named it: where always the same
     * upstream is asked for the newest block, nothing would become final else.
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
        vote(context, new Place(number, hash, ""), namedBy, second -> {
            if (second != null && second.hash().equals(hash)) {
                chain.view().agree(number, hash);
            }
        });
    }

    /** Forgets everything: the chain was replaced. */
    public void forget() {
        known.invalidateAll();
    }

    /**
     * Finds out, with the help of another upstream where it is not known, and of a third one where those two differ.
     *
     * @param sink called on the call's event loop
     */
    void find(CallContext context, Place place, Consumer<Standing> sink) {
        Standing standing = known(place.number(), place.hash());
        if (standing != Standing.UNKNOWN || !isPossible()) {
            sink.accept(standing);
            return;
        }
        vote(context, place, Set.of(place.upstreamId()), second -> {
            if (second == null) {
                sink.accept(Standing.UNKNOWN);
            } else if (second.hash().equals(place.hash())) {
                settle(context, place, sink);
            } else if (upstreams < 3) {
                sink.accept(Standing.UNKNOWN);
            } else {
                third(context, place, second, sink);
            }
        });
    }

    private void third(CallContext context, Place first, Place second, Consumer<Standing> sink) {
        vote(context, first, Set.of(first.upstreamId(), second.upstreamId()), third -> {
            if (third == null) {
                sink.accept(Standing.UNKNOWN);
            } else if (third.hash().equals(first.hash())) {
                settle(context, first, standing -> {
                    blame(second, first.hash());
                    sink.accept(standing);
                });
            } else if (third.hash().equals(second.hash())) {
                settle(context, second, standing -> {
                    blame(first, second.hash());
                    sink.accept(Standing.OTHER);
                });
            } else {
                sink.accept(Standing.UNKNOWN);
            }
        });
    }

    /** Near the head nodes may differ for a while, and none of them lies. */
    private void blame(Place place, String hash) {
        if (chain.finalized().covers(place.number())) {
            String detail = "block " + place.number() + ": " + place.hash() + " (expected: " + hash + ")";
            desk.ledger().refuted(place.upstreamId(), ChainCalls.BLOCK_BY_NUMBER, Flaw.OTHER_BLOCK, detail);
        }
    }

    private void settle(CallContext context, Place place, Consumer<Standing> sink) {
        Runnable step = () -> {
            if (chain.finalized().covers(place.number())) {
                known.put(place.number(), place.hash());
            }
            sink.accept(Standing.CANONICAL);
        };
        chain.finality().whenKnown(context.loop(), place.number(), () -> context.step(step));
    }

    /** Asks another upstream which block it has at this height; the sink gets null where none says so. */
    private void vote(CallContext context, Place place, Set<String> besides, Consumer<@Nullable Place> sink) {
        CallContext sub = context.aside(ChainCalls.blockByNumber(place.number()));
        sub.needsBlock(place.number(), true);
        ProofCheck<ProvenBlock> check =
                new ProofCheck<>(desk, ProofCheck.Kind.HEADER, tree -> header(tree, place.number()));
        sub.checkedBy(check);
        nodes.without().apply(besides).handle(sub, reply -> {
            ProvenBlock block = check.proven();
            String upstream = sub.trace().upstreamId();
            if (block == null || upstream == null || besides.contains(upstream)) {
                sink.accept(null);
            } else {
                sink.accept(new Place(place.number(), block.hash().hex(), upstream));
            }
        });
    }

    private static Finding<ProvenBlock> header(JsonNode tree, long number) {
        @Nullable Hash32 any = null;
        Finding<ProvenBlock> finding = BlockProof.block(tree, any);
        return finding instanceof Finding.Proven<ProvenBlock> proven
                        && proven.value().header().number() != number
                ? new Finding.Wrong<>("number: " + proven.value().header().number() + " (expected: " + number + ")")
                : finding;
    }
}
