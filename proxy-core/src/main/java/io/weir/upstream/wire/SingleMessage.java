package io.weir.upstream.wire;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.function.LongSupplier;

/** Message of one call in a request of its own. Confined to its event loop. */
public final class SingleMessage implements Message {

    private final RpcCall call;
    private long id;

    public SingleMessage(RpcCall call) {
        this.call = call;
    }

    @Override
    public RawJson write(RequestWriter writer, LongSupplier ids) {
        id = ids.getAsLong();
        return writer.write(id, call.method(), call.params());
    }

    @Override
    public NodeOutcome read(int status, byte[] body, int length) {
        return ReplyVerdict.ofBody(status, body, length, id);
    }

    @Override
    public NodeOutcome read(int status, byte[] body, int length, Failed verdict) {
        return ReplyVerdict.ofBoth(verdict, call, read(status, body, length), body, length);
    }
}
