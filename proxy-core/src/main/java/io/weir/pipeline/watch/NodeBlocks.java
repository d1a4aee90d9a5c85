package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkFinality;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Blocks from a network's nodes, with hashes only. Each is compared with its hash if the network verifies. Thread-safe. */
public final class NodeBlocks implements BlockSource {

    private final NetworkId network;
    private final Stage nodes;
    private final @Nullable ChainRules rules;
    private final @Nullable NetworkFinality finality;

    /**
     * Creates the source of a network's blocks.
     *
     * @param nodes sends calls to the network's nodes
     * @param rules by which blocks must have the hashes that they name; null if they are not verified
     * @param finality the blocks that nodes call final; null if the network has one node
     */
    public NodeBlocks(NetworkId network, Stage nodes, @Nullable ChainRules rules, @Nullable NetworkFinality finality) {
        this.network = network;
        this.nodes = nodes;
        this.rules = rules;
        this.finality = finality;
    }

    @Override
    public void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<@Nullable Named> sink) {
        byNumber(loop, number, number, deadlineNanos, sink);
    }

    @Override
    public void byNumber(EventLoop loop, long number, long head, long deadlineNanos, Consumer<@Nullable Named> sink) {
        CallContext context = context(ChainCalls.blockByNumber(number), loop, deadlineNanos);
        context.setRoute(context.route().toBlock(head, true));
        ask(context, null, sink);
    }

    @Override
    public void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<@Nullable Named> sink) {
        ask(context(ChainCalls.blockByHash(hash, false), loop, deadlineNanos), hash, sink);
    }

    @Override
    public void finalized(EventLoop loop, long deadlineNanos, Consumer<Finalized> sink) {
        if (finality != null) {
            finality.whenKnown(
                    loop,
                    BlockTag.FINALIZED,
                    deadlineNanos,
                    known -> sink.accept(
                            known.byDepth()
                                    ? new Finalized(true, -1, null)
                                    : new Finalized(false, known.number(), known.hash())));
            return;
        }
        nodes.handle(context(ChainCalls.blockByTag(BlockTag.FINALIZED), loop, deadlineNanos), reply -> {
            if (reply instanceof RpcReply.Result result && !result.value().equals(RawJson.NULL)) {
                BlockLink link = link(result.value(), null);
                sink.accept(
                        link == null
                                ? new Finalized(false, -1, null)
                                : new Finalized(false, link.number(), link.hash()));
            } else {
                // If no node could be asked, nothing is known.
                boolean answered = reply instanceof RpcReply.Result
                        || (reply instanceof RpcReply.Failure failure && failure.kind() == FailureKind.ANSWER);
                sink.accept(new Finalized(answered, -1, null));
            }
        });
    }

    private CallContext context(RpcCall call, EventLoop loop, long deadlineNanos) {
        return new CallContext(call, CallCause.FOLLOWER, network, loop, System.nanoTime(), deadlineNanos);
    }

    private void ask(CallContext context, @Nullable String asked, Consumer<@Nullable Named> sink) {
        nodes.handle(context, reply -> {
            BlockLink link = reply instanceof RpcReply.Result result ? link(result.value(), asked) : null;
            String upstream = context.trace().upstreamId();
            sink.accept(link == null || upstream == null ? null : new Named(link, upstream));
        });
    }

    private @Nullable BlockLink link(RawJson block, @Nullable String asked) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, block);
        if (facts == null || facts.parentHash() == null || (asked != null && !asked.equals(facts.hash()))) {
            return null;
        }
        boolean wrong =
                rules != null && AnswerProof.check(AnswerKind.BLOCK, block, asked, rules) instanceof Verification.Wrong;
        return wrong ? null : new BlockLink(facts.number(), facts.hash(), facts.parentHash());
    }
}
