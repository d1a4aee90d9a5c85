package io.weir.pipeline.cache;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.List;
import java.util.Set;

/**
 * Forgets everything where a development node was told to change what its blocks hold, or to go back: state that is set by hand
 * is no new block. Stands before methods that the catalogue does not know. Thread-safe.
 */
final class ReplacedStateStage implements Stage {

    private static final List<String> PREFIXES =
            List.of("anvil_", "evm_", "ganache_", "hardhat_", "tenderly_", "testing_");
    private static final Set<String> OTHERS = Set.of("debug_setHead");

    /** These only add blocks, or replace blocks as a chain does. */
    private static final Set<String> HARMLESS =
            Set.of("anvil_mine", "anvil_reorg", "evm_mine", "evm_snapshot", "hardhat_mine");

    private final Runnable forget;
    private final Stage next;

    ReplacedStateStage(Runnable forget, Stage next) {
        this.forget = forget;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        if (!changesState(context.call().method())) {
            next.handle(context, sink);
            return;
        }
        next.handle(context, reply -> {
            if (reply instanceof RpcReply.Result
                    || ((RpcReply.Failure) reply).kind() == RpcReply.FailureKind.UNAVAILABLE) {
                forget.run();
            }
            sink.accept(reply);
        });
    }

    private static boolean changesState(String method) {
        return OTHERS.contains(method)
                || (PREFIXES.stream().anyMatch(method::startsWith) && !HARMLESS.contains(method));
    }
}
