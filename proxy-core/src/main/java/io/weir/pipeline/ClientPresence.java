package io.weir.pipeline;

import io.weir.access.Caller;
import io.weir.tracing.TraceHeaders;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The presence of the client that waits for an answer. Confined to the event loop of its connection. */
public interface ClientPresence {

    /**
     * Registers an action that runs once if the client leaves before the answer: its connection is closed, or it closed its side
     * of an HTTP connection. Runs at once if the client has left already. Never runs after the answer.
     */
    void whenClientLeaves(Runnable action);

    /** Returns whether its connection is closed. A client that closed only its side still gets the answer. */
    default boolean isGone() {
        return false;
    }

    /** Returns whether the client can take a result now that goes on while it arrives. */
    default boolean takesStream() {
        return false;
    }

    /** Returns the client's address, behind trusted proxies by their headers; null if unknown. */
    default @Nullable InetAddress clientAddress() {
        return null;
    }

    /** Returns for whom calls of a caller are made; see {@link Caller#holder}. */
    default Object holder(Caller caller) {
        return caller.holder(clientAddress());
    }

    /** Returns the headers that name the client's trace; null if there are none, or while tracing is off. */
    default @Nullable TraceHeaders traceHeaders() {
        return null;
    }

    /** Returns the request if it came over a session; null if the client takes nothing but the answer. */
    default @Nullable SessionRequest sessionRequest() {
        return null;
    }
}
