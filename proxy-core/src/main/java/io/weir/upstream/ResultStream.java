package io.weir.upstream;

import io.netty.buffer.ByteBuf;

/**
 * A large result on its way from a node to one client. Its bytes are checked as they pass. It is offered to one taker, which must
 * close it in the end, whatever happened. Confined to the event loop of its call.
 */
public interface ResultStream extends AutoCloseable {

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

    /** Sets the receiver, once. It gets the bytes after this method has returned. */
    void begin(Receiver receiver);

    /** Returns whether it has a receiver. */
    boolean isBegun();

    /** Sets the attempt that is given up if the stream is closed before its end. */
    void carriedBy(AttemptHandle attempt);

    /** Pauses the reading from the node. What was read already still arrives. */
    void pause();

    /** Ends the pause. */
    void resume();

    /** Gives up what has not arrived, and gives back the memory. Must run when no byte of the result is held any more. */
    @Override
    void close();
}
