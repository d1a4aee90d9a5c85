package io.weir.plugin;

import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.InternalCalls;
import io.weir.pipeline.ReplySink;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Networks with fixed answers, from a thread of their own. */
public final class FakeInternalCalls implements InternalCalls {

    /** Network that the caller of {@link HostFixture} may not use. */
    private static final NetworkId OTHER_NETWORK = new NetworkId("othernet");

    public final CopyOnWriteArrayList<RpcCall> calls = new CopyOnWriteArrayList<>();
    private final Function<RpcCall, RpcReply> answers;

    public FakeInternalCalls(Function<RpcCall, RpcReply> answers) {
        this.answers = answers;
    }

    @Override
    public void call(NetworkId network, RpcCall call, long deadlineNanos, ReplySink sink) {
        calls.add(call);
        ForkJoinPool.commonPool().execute(() -> sink.accept(answers.apply(call)));
    }

    @Override
    public @Nullable NetworkId networkOfChain(String kind, String chainId) {
        return switch (chainId) {
            case "1337" -> HostFixture.NETWORK;
            case "10" -> OTHER_NETWORK;
            default -> null;
        };
    }

    @Override
    public @Nullable String chainOfNetwork(NetworkId network) {
        if (network.equals(HostFixture.NETWORK)) {
            return "1337";
        }
        return network.equals(OTHER_NETWORK) ? "10" : null;
    }
}
