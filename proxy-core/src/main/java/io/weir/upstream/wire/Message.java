package io.weir.upstream.wire;

import io.weir.upstream.NodeOutcome;
import java.util.function.LongSupplier;

/** What one request to a node says, and what an answer to it means. Confined to its event loop. */
public interface Message {

    /**
     * Writes it, at the moment at which it is sent.
     *
     * @param ids gives the next id that was not used on this event loop
     */
    byte[] write(LongSupplier ids);

    /**
     * Says what a whole answer is whose head gave no verdict, after {@link #write}. After a bad answer the connection is
     * closed.
     *
     * @param body an array that begins with the body and that the caller gives up
     */
    NodeOutcome read(int status, byte[] body, int length);
}
