package io.weir.api;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;

/** One call on its way through a {@link MethodHandler}. Thread-safe. */
public interface MethodCall {

    /** The method's name, as the client wrote it. */
    String method();

    /** The parameters: an array or an object; an empty array where the client sent none. */
    JsonNode params();

    /** The name of the network that the call came for. */
    String network();

    /** Returns the caller. */
    Caller caller();

    /**
     * Returns the address of the caller: that of its connection, or the one that a trusted proxy names in its headers. Empty for a
     * call without a connection.
     */
    default Optional<InetAddress> callerAddress() {
        return Optional.empty();
    }

    /** When the call is given up, on the clock of {@link System#nanoTime}. */
    long deadlineNanos();

    /**
     * Gives the call more time from now on, up to the host's bound, five minutes after its arrival.
     *
     * @return the time that was given, which may be shorter than asked for
     */
    Duration extendDeadline(Duration fromNow);

    /**
     * Registers a listener that runs once, on the plugin's executor, if the caller leaves before the answer: its connection was
     * closed, or it sends nothing more over HTTP. It runs soon if the caller has left already, and never after the answer. The
     * call goes on; an answer is sent if the connection still takes it.
     */
    void onCallerGone(Runnable listener);

    /**
     * Charges the caller for work of which nobody knew before the parameters were read, beside what a call of the method costs. A host that
     * counts nothing does nothing.
     *
     * @param units of a simple lookup: about a millisecond of processor each
     * @throws RpcException with {@link RpcException#LIMIT_EXCEEDED} if the caller's rate or units do not allow it now. Nothing is charged
     *     then, and the work should not begin
     */
    default void charge(int units) {}

    /** Calls networks through the proxy, on behalf of this call's caller. */
    ChainClient chain();

    /** The plugin's executor, on which the work for this call's caller takes turns with that for others; its threads may block. */
    Executor executor();
}
