package io.weir.network;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.weir.access.Caller;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.InternalCalls;
import io.weir.pipeline.ReplySink;
import org.jspecify.annotations.Nullable;

/** The proxy's own calls, which follow the plans of the current networks, each on some event loop. Thread-safe. */
public final class NetworkInternalCalls implements InternalCalls {

    private final CurrentGeneration generation;
    private final EventLoopGroup loops;

    public NetworkInternalCalls(CurrentGeneration generation, EventLoopGroup loops) {
        this.generation = generation;
        this.loops = loops;
    }

    @Override
    public void call(NetworkId id, RpcCall call, long deadlineNanos, ReplySink sink) {
        EventLoop loop = loops.next();
        loop.execute(() -> {
            Network network = generation.get().network(id.name());
            if (network == null) {
                sink.accept(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(
                        "network: \"" + id + "\" (expected: one of the configured networks)")));
                return;
            }
            CallContext context = new CallContext(call, Caller.PROXY, id, loop, System.nanoTime(), deadlineNanos);
            network.plans().plan(call.method()).handleInternal(context, sink);
        });
    }

    @Override
    public @Nullable NetworkId networkOfChain(String kind, String chainId) {
        for (Network network : generation.get().networks().values()) {
            if (network.config().kind().equals(kind) && isOfChain(network, chainId)) {
                return network.id();
            }
        }
        return null;
    }

    @Override
    public @Nullable String chainOfNetwork(NetworkId id) {
        Network network = generation.get().network(id.name());
        return network == null
                ? null
                : network.kind().normaliseChainId(network.config().chainId());
    }

    private static boolean isOfChain(Network network, String chainId) {
        try {
            return network.kind()
                    .normaliseChainId(network.config().chainId())
                    .equals(network.kind().normaliseChainId(chainId));
        } catch (IllegalArgumentException e) {
            // A text that is not a chain id belongs to no network.
            return false;
        }
    }
}
