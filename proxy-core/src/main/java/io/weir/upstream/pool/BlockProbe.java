package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.api.BlockForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.ShownBlock;
import io.weir.upstream.head.BlockAnswer;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Request of one node for a block without its transactions, in the form of the network. Reads only the block's place in the chain.
 * Thread-safe.
 */
final class BlockProbe {

    private static final int MAX_RESULT_BYTES = 4 << 20;
    private static final int MAX_QUANTITY_CHARS = 18;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final @Nullable BlockIds ids;

    /** @param form the form of a plugin's kind of network; null for Ethereum's */
    BlockProbe(@Nullable BlockForm form) {
        this.ids = form == null ? null : new BlockIds(form);
    }

    /** Asks for a block as a probe. The sink receives the answer once, on the loop. */
    void run(
            HealthProbe.Target node,
            EventLoop loop,
            BlockSelector block,
            long deadlineNanos,
            Consumer<BlockAnswer> sink) {
        RpcCall call = ids == null ? ChainCalls.block(block) : ids.call(block);
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
                : ids == null
                        ? read(result.value(), AnswerKind.BLOCK)
                        : read(result.value(), ids.form().members());
    }

    /** Returns the answer that shows this block of a plugin's kind of network. */
    private static BlockAnswer read(RawJson text, BlockForm.Members members) {
        try {
            JsonNode block = MAPPER.readTree(text.array(), text.offset(), text.length());
            JsonNode number = block.path(members.number());
            String hash = BlockIds.hash(block.path(members.hash()).asString(""));
            String parentHash = BlockIds.hash(block.path(members.parentHash()).asString(""));
            long seconds = block.path(members.seconds()).asLong(0);
            // Without a hash it is the block in the making.
            return number.isIntegralNumber() && !hash.isEmpty()
                    ? new BlockAnswer(Kind.SHOWN, number.asLong(), hash, parentHash, seconds, null)
                    : BlockAnswer.without(Kind.NONE);
        } catch (RuntimeException e) {
            // Not JSON, or a number that is none.
            return BlockAnswer.without(Kind.UNREADABLE);
        }
    }

    /** Returns the answer that shows this block, or this header of one. */
    static BlockAnswer read(RawJson text, AnswerKind kind) {
        try {
            JsonNode block = MAPPER.readTree(text.array(), text.offset(), text.length());
            long number = quantity(block, "number", "");
            String hash = hash(block, "hash");
            String parentHash = hash(block, "parentHash");
            boolean named = !hash.isEmpty() && !parentHash.isEmpty();
            ShownBlock shown = named ? new ShownBlock(new BlockLink(number, hash, parentHash), text, kind) : null;
            return new BlockAnswer(Kind.SHOWN, number, hash, parentHash, quantity(block, "timestamp", "0x0"), shown);
        } catch (RuntimeException e) {
            // Not JSON, or a number that is none.
            return BlockAnswer.without(Kind.UNREADABLE);
        }
    }

    private static long quantity(JsonNode block, String member, String missing) {
        String text = block.path(member).asString(missing);
        if (!text.startsWith("0x") || text.length() > MAX_QUANTITY_CHARS) {
            throw new IllegalArgumentException(member + ": not a quantity (expected: hex of at most 63 bits)");
        }
        return Long.parseLong(text.substring(2), 16);
    }

    private static String hash(JsonNode block, String member) {
        String hash = block.path(member).asString("").toLowerCase(Locale.ROOT);
        return hash.matches("0x[0-9a-f]{64}") ? hash : "";
    }
}
