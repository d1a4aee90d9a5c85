package io.weir.upstream.wire;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.function.LongSupplier;

/** Content of one request to a node, with the interpretation of its answer. Confined to its event loop. */
public interface Message {

    /**
     * Encodes the request when it is sent. The text counts until the writer is used again.
     *
     * @param ids returns the next id that was not used on this event loop
     */
    RawJson write(RequestWriter writer, LongSupplier ids);

    /**
     * Interprets a complete answer whose head gave no verdict; called after {@link #write}. A bad answer closes the
     * connection.
     *
     * @param body an array that begins with the body; the caller gives it up
     */
    NodeOutcome read(int status, byte[] body, int length);

    /**
     * Interprets a complete answer whose head gave a verdict, which stands unless the body says more.
     *
     * @param body as for the other answers
     */
    default NodeOutcome read(int status, byte[] body, int length, Failed verdict) {
        return ReplyVerdict.withPauseOf(verdict, body, length);
    }
}
