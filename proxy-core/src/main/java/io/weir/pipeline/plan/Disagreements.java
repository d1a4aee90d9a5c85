package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.Lookups;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The nodes that answered one call in a way that another node's answer may contradict: with null for a transaction, or by refusing
 * parameters as invalid. They learn of it once another node gives a result. Confined to the call's event loop.
 */
final class Disagreements {

    private static final String BLOCK_NUMBER = "blockNumber";
    private static final NameTable NAMES = NameTable.of(Set.of(BLOCK_NUMBER));
    private static final int MAX_HEX_DIGITS = 15;

    private final RpcCall call;
    // Most calls meet no disagreement: lists are made when one begins.
    private List<Upstream> empty = List.of();
    private List<Upstream> refusing = List.of();

    Disagreements(RpcCall call) {
        this.call = call;
    }

    /** The nodes that answered null to the lookup of a transaction. */
    List<Upstream> empty() {
        return empty;
    }

    /** Takes in that a node found nothing. */
    void foundNothing(Upstream node) {
        if (Lookups.ofTransaction(call.method())) {
            empty = with(empty, node);
        }
    }

    /** Takes in that a node refused the parameters. */
    void refusedParams(Upstream node) {
        refusing = with(refusing, node);
    }

    private static List<Upstream> with(List<Upstream> nodes, Upstream node) {
        List<Upstream> more = new ArrayList<>(nodes);
        more.add(node);
        return more;
    }

    /** Takes in what a node answered that ends the call. */
    void answered(Answered answered) {
        if (answered.reply() instanceof RpcReply.Result result) {
            if (!empty.isEmpty()) {
                foundTransaction(result.value());
            }
            refusing.forEach(node -> node.refusedParams(call));
        }
    }

    private void foundTransaction(RawJson transaction) {
        if (transaction.first() != '{') {
            // A raw form says nothing of its block.
            empty.forEach(node -> node.missedTransaction(call, -1));
            return;
        }
        long block = blockNumber(transaction);
        if (block >= 0) {
            empty.forEach(node -> node.missedTransaction(call, block));
        }
        // One without a block waits in a pool, and pools differ.
    }

    /** The block that a transaction or receipt is in; -1 where it is in none. */
    private static long blockNumber(RawJson transaction) {
        JsonScanner scanner = JsonScanner.delimiters(transaction.array(), transaction.offset(), transaction.length());
        try {
            scanner.peek();
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                String name = scanner.knownMember(NAMES);
                scanner.peek();
                int start = scanner.position();
                scanner.skip();
                if (BLOCK_NUMBER.equals(name)) {
                    return quantity(transaction.array(), start, scanner.position());
                }
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            return -1;
        }
        return -1;
    }

    /** Of a string with a quantity in hex; -1 where it is none. */
    private static long quantity(byte[] json, int start, int end) {
        int digits = end - start - 4;
        if (digits < 1 || digits > MAX_HEX_DIGITS || json[start + 1] != '0' || json[start + 2] != 'x') {
            return -1;
        }
        long number = 0;
        for (int i = start + 3; i < end - 1; i++) {
            int digit = Character.digit(json[i], 16);
            if (digit < 0) {
                return -1;
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
