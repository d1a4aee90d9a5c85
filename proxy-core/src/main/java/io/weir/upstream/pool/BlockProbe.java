package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.ShownBlock;
import io.weir.upstream.head.BlockAnswer;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.function.Consumer;

/**
 * Request of one node for a block without its transactions, in the form of the network. Reads only the block's place in the chain.
 * Thread-safe.
 */
final class BlockProbe {

    private static final int MAX_RESULT_BYTES = 4 << 20;

    private final BlockIds ids;

    BlockProbe(BlockIds ids) {
        this.ids = ids;
    }

    /** Asks for a block as a probe. The sink receives the answer once, on the loop. */
    void run(
            HealthProbe.Target node,
            EventLoop loop,
            BlockSelector block,
            long deadlineNanos,
            Consumer<BlockAnswer> sink) {
        RpcCall call = ids.call(block);
        if (call == null) {
            sink.accept(BlockAnswer.without(Kind.NONE));
        } else {
            node.probe(loop, call, deadlineNanos, CallCause.FOLLOWER, outcome -> sink.accept(read(outcome)));
        }
    }

    private BlockAnswer read(NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered)) {
            return BlockAnswer.without(Kind.FAILED);
        }
        if (!(answered.reply() instanceof RpcReply.Result result)) {
            return BlockAnswer.without(Kind.REFUSED);
        }
        if (result.value().equals(RawJson.NULL)) {
            return BlockAnswer.without(Kind.NONE);
        }
        return result.value().length() > MAX_RESULT_BYTES
                ? BlockAnswer.without(Kind.UNREADABLE)
                : read(result.value(), AnswerKind.BLOCK);
    }

    /** Returns the answer that shows this block, or this header of one. */
    BlockAnswer read(RawJson text, AnswerKind kind) {
        if (text.first() != '{') {
            return BlockAnswer.without(Kind.UNREADABLE);
        }
        try {
            long number = ids.height(text);
            String hash = ids.hashIn(text);
            String parentHash = ids.parentHashIn(text);
            long seconds = ids.seconds(text);
            if (hash.isEmpty() && !ids.isOfEthereum()) {
                // The block in the making.
                return BlockAnswer.without(Kind.NONE);
            }
            if (number < 0 || seconds < 0) {
                return BlockAnswer.without(Kind.UNREADABLE);
            }
            boolean named = !hash.isEmpty() && !parentHash.isEmpty();
            ShownBlock shown = named ? new ShownBlock(new BlockLink(number, hash, parentHash), text, kind) : null;
            return new BlockAnswer(Kind.SHOWN, number, hash, parentHash, seconds, shown);
        } catch (IllegalArgumentException e) {
            // Not JSON.
            return BlockAnswer.without(Kind.UNREADABLE);
        }
    }
}
