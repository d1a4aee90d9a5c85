package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.math.BigInteger;

/** Stage that answers every call with the configured chain id as a quantity. Thread-safe. */
final class FixedResultStage implements Stage {

    private final RpcReply reply;

    FixedResultStage(String chainId) {
        this.reply = new RpcReply.Result(RawJson.of("\"0x" + number(chainId).toString(16) + '"'));
    }

    private static BigInteger number(String chainId) {
        return chainId.startsWith("0x") ? new BigInteger(chainId.substring(2), 16) : new BigInteger(chainId);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        sink.accept(reply);
    }
}
