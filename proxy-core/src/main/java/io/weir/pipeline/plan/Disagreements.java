package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.TransactionBlock;
import io.weir.upstream.Upstream;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes whose answers to one call another node may contradict: those without the transaction, those without the data of a block that
 * may not exist, and those that refuse the parameters. Once another node gives a result, they learn of it. Confined to the call's event loop.
 */
final class Disagreements {

    private final EventLoop loop;
    private final RpcCall call;
    private final boolean ofTransaction;
    private List<Upstream> empty = List.of();
    private List<Upstream> lacking = List.of();
    private List<Upstream> refusing = List.of();

    /** @param ofTransaction whether the call looks a transaction up by its hash */
    Disagreements(EventLoop loop, RpcCall call, boolean ofTransaction) {
        this.loop = loop;
        this.call = call;
        this.ofTransaction = ofTransaction;
    }

    /** Returns the nodes that answered null to the lookup of a transaction. */
    List<Upstream> foundNothingAt() {
        return empty;
    }

    /** Notes that a node found nothing. */
    void foundNothing(Upstream node) {
        if (ofTransaction) {
            empty = with(empty, node);
        }
    }

    /** Notes that a node lacked the data of a block that the call does not name by its number. */
    void lackedData(Upstream node) {
        lacking = with(lacking, node);
    }

    /** Notes that a node refused the parameters. */
    void refusedParams(Upstream node) {
        refusing = with(refusing, node);
    }

    private static List<Upstream> with(List<Upstream> nodes, Upstream node) {
        List<Upstream> more = new ArrayList<>(nodes);
        more.add(node);
        return more;
    }

    /** Tells the nodes noted before of the answer that ends the call. */
    void answered(Answered answered) {
        if (answered.reply() instanceof RpcReply.Result result) {
            if (!empty.isEmpty()) {
                foundTransaction(result.value());
            }
            lacking.forEach(node -> node.lackedData(call, 0));
            refusing.forEach(node -> node.refusedParams(call));
        }
    }

    private void foundTransaction(RawJson transaction) {
        long block = TransactionBlock.of(transaction);
        if (block != TransactionBlock.NONE) {
            empty.forEach(node -> node.missedTransaction(loop, call, block));
        }
    }
}
