package io.weir.upstream.wire;

import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.function.LongSupplier;

/** Message of one call in a request of its own. Confined to its event loop. */
public final class SingleMessage implements Message {

    private static final RequestWriter WRITER = new RequestWriter();

    private final RpcCall call;
    private long id;

    public SingleMessage(RpcCall call) {
        this.call = call;
    }

    @Override
    public byte[] write(LongSupplier ids) {
        id = ids.getAsLong();
        return WRITER.write(id, call.method(), call.params());
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
