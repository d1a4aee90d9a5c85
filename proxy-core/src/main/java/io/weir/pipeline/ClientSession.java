package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client to which messages can be sent that answer no call. Confined to its event loop, except for
 * {@link #loop}.
 */
public interface ClientSession {

    /** Text that several sessions of one event loop send. Its creator closes it; messages that were sent keep it. */
    interface SharedText extends AutoCloseable {

        /** Returns the number of bytes. */
        int length();

        @Override
        void close();
    }

    /** Returns the event loop of the connection. Thread-safe. */
    EventLoop loop();

    /** Returns the client's address; null if it is unknown. */
    @Nullable
    InetAddress clientAddress();

    /** Returns whether messages can be sent. */
    boolean isOpen();

    /** Registers an action that runs once when no more messages can be sent; at once if that is so already. */
    void whenClosed(Runnable action);

    /**
     * Registers an action that runs each time a later configuration admits the client, with the client's rights by then. Without
     * admission the session closes.
     */
    void whenReadmitted(Consumer<Caller> action);

    /** Returns the client with its rights by the latest configuration; null if that is the one of its first request. */
    @Nullable
    Caller readmitted();

    /** Returns a text for all sessions of this event loop. The caller must not modify the array any more. */
    SharedText share(byte[] text);

    /**
     * Sends a message: a head of its own, followed by a shared text. Does nothing if the session is closed.
     *
     * @param head not modified any more
     */
    void send(byte[] head, SharedText rest);

    /** Passes the messages sent here on to the socket at once, as far as it accepts them. */
    void flush();

    /** Returns the number of messages sent here that the socket has not accepted yet. */
    int pendingMessages();

    /** Returns the number of bytes of these messages. */
    long pendingBytes();

    /** Returns whether the bytes in flight, and the client's share of them, allow that one more message of this length waits. */
    boolean permits(int length);

    /**
     * Closes the connection with the code that tells the client to try again later.
     *
     * @param reason short, in ASCII
     */
    void tryAgainLater(String reason);

    /**
     * Closes the connection with the code that tells the client that it lacks a right.
     *
     * @param reason short, in ASCII
     */
    void notPermitted(String reason);
}
