package io.weir.pipeline.send;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.pipeline.CallContext;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.Upstream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks nodes whether one of them has a transaction: all at once, and not for long, since the answer to the client waits for it.
 * Confined to the call's event loop.
 */
final class HashLookup {

    private static final int MAX_NODES = 4;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Consumer<Boolean> sink;
    private int open;
    private boolean told;

    private HashLookup(int nodes, Consumer<Boolean> sink) {
        this.open = nodes;
        this.sink = sink;
    }

    /**
     * Asks.
     *
     * @param nodes of which the first few are asked
     * @param sink gets the answer once, on the call's loop
     */
    static void begin(List<Upstream> nodes, Hash32 hash, CallContext context, Consumer<Boolean> sink) {
        List<Upstream> asked = List.copyOf(nodes.subList(0, Math.min(MAX_NODES, nodes.size())));
        if (asked.isEmpty()) {
            sink.accept(false);
            return;
        }
        HashLookup lookup = new HashLookup(asked.size(), sink);
        RpcCall call = ChainCalls.transaction(hash.hex());
        long now = System.nanoTime();
        long deadline = now + Math.min(context.deadlineNanos() - now, MAX_NANOS);
        asked.forEach(node -> node.ask(context.loop(), call, deadline, lookup::end));
    }

    private void end(NodeOutcome outcome) {
        open--;
        if (told) {
            return;
        }
        boolean found = outcome instanceof NodeOutcome.Answered answered
                && answered.reply() instanceof RpcReply.Result result
                && result.value().first() == '{';
        if (found || open == 0) {
            told = true;
            sink.accept(found);
        }
    }
}
