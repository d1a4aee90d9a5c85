package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A large result on its way from a node to a client: the reply to its call. Its bytes are checked as they pass. It is offered to
 * one taker, which must close it in the end, whatever happened. Confined to the event loop of its call.
 */
public interface ResultStream extends RpcReply.Streamed, AutoCloseable {

    /** Receiver of a result. Confined to the event loop of the call. */
    interface Receiver {

        /** Takes the next bytes, which it owns from now on. */
        void take(ByteBuf bytes);

        /** Sends on what it took, because no more bytes are there at present. */
        void flush();

        /**
         * Learns of the end, once. Nothing is taken afterwards.
         *
         * @param whole whether the result is whole and all of the node's answer is valid; otherwise the client must not take
         *     the bytes for a result
         */
        void ended(boolean whole);
    }

    /**
     * Collects the result up to this size while it goes on. Called before {@link #begin}.
     *
     * @param copy gets the whole valid result once, after clients were given its end; null if it is too large or not valid, broke off,
     *     or has no client any more. Must not throw. Called on the event loop of the call that asked the node
     * @return false if nothing is collected; then the copy is not touched
     */
    default boolean copyTo(long maxBytes, Consumer<@Nullable RawJson> copy) {
        return false;
    }

    /** Returns the smallest size that the result can have in bytes, by what its node declared. */
    default long leastBytes() {
        return 0;
    }

    /** Shows the elements of a list to a reader while the bytes are checked, before they go on. Called before {@link #begin}. */
    default void show(ElementReader reader) {
        throw new UnsupportedOperationException("elements of a result that was checked before");
    }

    /** Sets the receiver, once. It gets the bytes after this method has returned. */
    void begin(Receiver receiver);

    /** Returns whether it has a receiver. */
    boolean isBegun();

    /** Sets the attempt that is given up if the stream is closed before its end. */
    void carriedBy(Attempt attempt);

    /** Pauses the reading from the node. Bytes that were read already still arrive. */
    void pause();

    void resume();

    /** Gives up what has not arrived, and gives back the memory. Must run when no byte of the result is held any more. */
    @Override
    void close();
}
