package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Blocks from a network's nodes, in the form of the network, with hashes only. Each is compared with its hash if the network verifies.
 * Thread-safe.
 *
 * @param nodes sends calls to the network's nodes
 * @param rules by which blocks must have the hashes that they name; null if they are not verified
 * @param ids names blocks
 * @param shown receives the blocks
 */
public record NodeBlocks(
        NetworkId network, Stage nodes, @Nullable ChainRules rules, BlockIds ids, ShownBlocks shown)
        implements BlockSource {

    @Override
    public boolean forgetsReplaced() {
        return !ids.isOfEthereum();
    }

    @Override
    public void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<@Nullable Named> sink) {
        byNumber(loop, number, number, deadlineNanos, sink);
    }

    @Override
    public void byNumber(EventLoop loop, long number, long head, long deadlineNanos, Consumer<@Nullable Named> sink) {
        ask(new BlockSelector.Height(number), head, loop, deadlineNanos, null, sink);
    }

    @Override
    public void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<@Nullable Named> sink) {
        ask(new BlockSelector.Hash(hash, false), -1, loop, deadlineNanos, hash, sink);
    }

    private void ask(
            BlockSelector block,
            long head,
            EventLoop loop,
            long deadlineNanos,
            @Nullable String asked,
            Consumer<@Nullable Named> sink) {
        RpcCall call = Objects.requireNonNull(ids.call(block));
        CallContext context =
                new CallContext(call, CallCause.FOLLOWER, network, loop, System.nanoTime(), deadlineNanos);
        if (head >= 0) {
            context.setRoute(context.route().toBlock(head, true));
        }
        nodes.handle(context, reply -> {
            BlockLink link = reply instanceof RpcReply.Result result ? link(result.value(), asked) : null;
            String upstream = context.trace().upstreamId();
            sink.accept(link == null || upstream == null ? null : new Named(link, upstream));
        });
    }

    private @Nullable BlockLink link(RawJson block, @Nullable String asked) {
        AnswerFacts facts = AnswerFacts.ofBlock(ids, block);
        String parentHash = facts == null ? null : facts.parentHash();
        boolean wrong =
                rules != null && AnswerProof.check(AnswerKind.BLOCK, block, asked, rules) instanceof Verification.Wrong;
        if (facts == null || parentHash == null || wrong || (asked != null && !asked.equals(facts.hash()))) {
            return null;
        }
        BlockLink link = new BlockLink(facts.number(), facts.hash(), parentHash);
        shown.add(new ShownBlock(link, block, AnswerKind.BLOCK));
        return link;
    }
}
