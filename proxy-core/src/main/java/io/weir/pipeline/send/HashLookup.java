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
 * Lookup of a transaction at several nodes at the same time. It is short, because the client's answer waits for it. Confined
 * to the call's event loop.
 */
final class HashLookup {

    private static final int MAX_NODES = 4;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Consumer<Boolean> sink;
    private int open;
    private boolean delivered;

    private HashLookup(int nodes, Consumer<Boolean> sink) {
        this.open = nodes;
        this.sink = sink;
    }

    /**
     * Starts a lookup.
     *
     * @param nodes of which the first few are asked
     * @param sink receives the result once, on the call's loop
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
        if (delivered) {
            return;
        }
        boolean found = outcome instanceof NodeOutcome.Answered answered
                && answered.reply() instanceof RpcReply.Result result
                && result.value().first() == '{';
        if (found || open == 0) {
            delivered = true;
            sink.accept(found);
        }
    }
}
