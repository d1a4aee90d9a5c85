package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.math.BigInteger;

/** Stage that answers every call with the same reply. Thread-safe. */
record FixedReplyStage(RpcReply reply) implements Stage {

    /** Stage of methods that would have to push messages later. */
    static final Stage NO_NOTIFICATIONS =
            new FixedReplyStage(RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("notifications not supported")));

    /** Returns the stage that answers with the configured chain id as a quantity. */
    static Stage ofChainId(String chainId) {
        return new FixedReplyStage(
                new RpcReply.Result(RawJson.of("\"0x" + number(chainId).toString(16) + '"')));
    }

    private static BigInteger number(String chainId) {
        return chainId.startsWith("0x") ? new BigInteger(chainId.substring(2), 16) : new BigInteger(chainId);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        sink.accept(reply);
    }
}
