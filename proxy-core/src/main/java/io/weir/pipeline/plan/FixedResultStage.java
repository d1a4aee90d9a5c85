package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.math.BigInteger;

/** Answers every call with what the configuration says. Thread-safe. */
final class FixedResultStage implements Stage {

    private final RpcReply reply;

    private FixedResultStage(String text) {
        this.reply = new RpcReply.Result(RawJson.of('"' + text + '"'));
    }

    /** The chain's id as a quantity. */
    static Stage chainId(String decimal) {
        return new FixedResultStage("0x" + new BigInteger(decimal).toString(16));
    }

    /** The network's id, which is the chain's, in decimal. */
    static Stage networkId(String decimal) {
        return new FixedResultStage(decimal);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        sink.accept(reply);
    }
}
