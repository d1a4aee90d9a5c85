package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.math.BigInteger;

/** Stage that answers every call with a value of the configuration. Thread-safe. */
final class FixedResultStage implements Stage {

    private final RpcReply reply;

    private FixedResultStage(String text) {
        this.reply = new RpcReply.Result(RawJson.of('"' + text + '"'));
    }

    /** Returns a stage that answers with the chain's id as a quantity. */
    static Stage chainId(String chainId) {
        return new FixedResultStage("0x" + number(chainId).toString(16));
    }

    /** Returns a stage that answers with the network's id, which is the chain's, in decimal. */
    static Stage networkId(String chainId) {
        return new FixedResultStage(number(chainId).toString());
    }

    private static BigInteger number(String chainId) {
        return chainId.startsWith("0x") ? new BigInteger(chainId.substring(2), 16) : new BigInteger(chainId);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        sink.accept(reply);
    }
}
