package io.weir.upstream.pool;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.JsonObject;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Check of whether a node lacks a transaction that it should have. It asks the node itself, for the transaction and then for
 * its block. The node lacks the transaction if it answers null although its own block lists the hash, or if it does not have
 * the block either. No answer of another node is trusted. Pure apart from the questions.
 */
final class MissCheck {

    /** Outcome of a check. */
    enum Result {
        /** The node has the block but not the transaction, or neither. */
        LACKS,
        /** The node has the transaction, or its chain does not. */
        HAS,
        /** The node gave no usable answer. */
        UNANSWERED
    }

    /**
     * A null answer that another node contradicted. Immutable.
     *
     * @param lookup the lookup of the transaction
     * @param block the number of the block that holds the transaction, according to the other node
     */
    record Miss(RpcCall lookup, long block) {}

    private static final NameTable TRANSACTIONS = NameTable.of(Set.of("transactions"));
    private static final int HISTORY_PRUNED = 4444;

    private MissCheck() {}

    /** Checks a miss of a node; the sink takes the result once, on the event loop. */
    static void run(HealthProbe.Target node, EventLoop loop, long deadlineNanos, Miss miss, Consumer<Result> sink) {
        node.probe(loop, miss.lookup(), deadlineNanos, outcome -> {
            if (!(outcome instanceof Answered answered) || !(answered.reply() instanceof RpcReply.Result result)) {
                sink.accept(Result.UNANSWERED);
            } else if (!result.value().equals(RawJson.NULL)) {
                sink.accept(Result.HAS);
            } else {
                RpcCall block = ChainCalls.blockByNumber(miss.block());
                node.probe(loop, block, deadlineNanos, shown -> sink.accept(inBlock(miss, shown)));
            }
        });
    }

    private static Result inBlock(Miss miss, NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered)) {
            return Result.UNANSWERED;
        }
        if (answered.reply() instanceof RpcReply.Result result) {
            return result.value().equals(RawJson.NULL) ? Result.LACKS : listed(miss, result.value());
        }
        return answered.reply() instanceof RpcReply.Failure failure
                        && failure.error().code() == HISTORY_PRUNED
                ? Result.LACKS
                : Result.UNANSWERED;
    }

    private static Result listed(Miss miss, RawJson block) {
        RawJson params = miss.lookup().params();
        if (block.first() != '{' || params == null) {
            return Result.UNANSWERED;
        }
        try {
            RawJson transactions = JsonObject.member(block, TRANSACTIONS);
            if (transactions == null) {
                return Result.UNANSWERED;
            }
            // The parameters are an array of one string. Its text without brackets is a member of the list.
            String hash = text(params).replaceAll("[\\[\\]\\s]", "").toLowerCase(Locale.ROOT);
            boolean listed = hash.length() > 2
                    && text(transactions).toLowerCase(Locale.ROOT).contains(hash);
            return listed ? Result.LACKS : Result.HAS;
        } catch (IllegalArgumentException e) {
            return Result.UNANSWERED;
        }
    }

    private static String text(RawJson json) {
        return new String(json.array(), json.offset(), json.length(), US_ASCII);
    }
}
