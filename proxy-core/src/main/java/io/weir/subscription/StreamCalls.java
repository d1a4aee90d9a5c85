package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.Route;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's own calls for a stream, answered from the cache or by any node. Confined to the event loop of the stream.
 *
 * @param calls makes the calls
 */
record StreamCalls(NetworkId network, EventLoop loop, Stage calls) {

    private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * Makes a call about a block.
     *
     * @param number of the block, which the node must have
     * @param sink receives the result once, on the event loop; null if there is none
     */
    void ask(RpcCall call, long number, Consumer<@Nullable RawJson> sink) {
        CallContext context = context(call);
        context.setRoute(context.route().toBlock(number, true));
        pass(
                context,
                reply -> sink.accept(
                        reply instanceof RpcReply.Result result
                                        && !result.value().equals(RawJson.NULL)
                                ? result.value()
                                : null));
    }

    /** Makes a call about no block that the proxy knows. The sink receives the reply once, on the event loop. */
    void reply(RpcCall call, Consumer<RpcReply> sink) {
        pass(context(call), sink);
    }

    private CallContext context(RpcCall call) {
        long now = System.nanoTime();
        CallContext context = new CallContext(call, CallCause.FOLLOWER, network, loop, now, now + CALL_NANOS);
        context.setRoute(Route.ALONE);
        return context;
    }

    private void pass(CallContext context, Consumer<RpcReply> sink) {
        new CallGuard(context, sink::accept).pass(calls);
    }
}
