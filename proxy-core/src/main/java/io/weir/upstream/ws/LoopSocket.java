package io.weir.upstream.ws;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The socket of one event loop to one node. Confined to that loop.
 *
 * <ul>
 *   <li>The first call has it made, and calls wait for that. Once it is there they are sent at once, up to a bound; over it
 *       they wait, in turn, up to another.
 *   <li>Where it cannot be made, everybody who waits fails at once: their calls were not sent, and can move. After that none is
 *       begun before the pause is over, and who asks meanwhile fails as those before.
 *   <li>A reset begins a new generation: the socket takes no other call and is closed after the last answer, and one that was
 *       being made when it comes about.
 * </ul>
 */
final class LoopSocket {

    /**
     * What the sockets of one node have in common.
     *
     * @param pause heeded by those for calls, told by all
     */
    record Shared(NodeConnector connector, Handshake handshake, ReconnectPause pause, UnsolicitedMessages unasked) {}

    private final EventLoop loop;
    private final Shared shared;
    private final SocketLimits limits;
    private final boolean patient;
    private final Deque<Attempt<RpcCall, NodeSocketHandler.Sent>> waiting = new ArrayDeque<>();
    private final Set<NodeSocketHandler> sockets = new HashSet<>();
    private @Nullable NodeSocketHandler current;
    private boolean closed;
    private int generation;
    /** Whether one is being made, of this generation. */
    private boolean connecting;
    /** Being made, of all generations. */
    private int begun;

    /**
     * Begins without a socket.
     *
     * @param patient whether pauses are heeded
     */
    LoopSocket(EventLoop loop, Shared shared, SocketLimits limits, boolean patient) {
        this.loop = loop;
        this.shared = shared;
        this.limits = limits;
        this.patient = patient;
    }

    SocketLimits limits() {
        return limits;
    }

    Shared shared() {
        return shared;
    }

    /** How many sockets are open or being made. */
    int open() {
        return begun + sockets.size();
    }

    /** Asks the node; the outcome may come before this returns. */
    void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        long left = deadlineNanos - System.nanoTime();
        NodeSocketHandler free = current != null && current.hasRoom() ? current : null;
        Failed refusal = refusal(left, free);
        if (refusal != null) {
            sink.accept(refusal);
            return;
        }
        Attempt<RpcCall, NodeSocketHandler.Sent> attempt = new Attempt<>(call, sink);
        attempt.endsWith(loop.schedule(() -> giveUp(attempt), left, TimeUnit.NANOSECONDS));
        if (free != null) {
            free.send(attempt);
        } else {
            waiting.add(attempt);
            connect();
        }
    }

    private @Nullable Failed refusal(long leftNanos, @Nullable NodeSocketHandler free) {
        if (closed) {
            return ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed");
        }
        if (leftNanos <= 0) {
            return ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no time left");
        }
        if (free != null) {
            return null;
        }
        Failed pausing = current == null && !connecting ? pausing() : null;
        if (pausing != null) {
            return pausing;
        }
        // Those whom a socket that is being made will take at once do not count as waiting.
        long room = limits.maxQueue() + (current == null ? limits.maxInFlight() : 0L);
        return waiting.size() < room
                ? null
                : ReplyVerdict.failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection");
    }

    private @Nullable Failed pausing() {
        return patient ? shared.pause().problem() : null;
    }

    private void giveUp(Attempt<RpcCall, NodeSocketHandler.Sent> attempt) {
        NodeSocketHandler.Sent sent = attempt.connection();
        if (sent == null) {
            waiting.remove(attempt);
            attempt.end(ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time"));
        } else {
            sent.giveUp(ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time"));
        }
    }

    /** Has a socket made where somebody waits for one and none is there. */
    private void connect() {
        if (closed || connecting || current != null || waiting.isEmpty()) {
            return;
        }
        Failed pausing = pausing();
        if (pausing != null) {
            failWaiting(pausing);
            return;
        }
        connecting = true;
        begun++;
        int now = generation;
        shared.connector()
                .connect(loop, () -> new NodeSocketHandler(this), (socket, problem) -> connected(now, socket, problem));
    }

    private void connected(int begunIn, @Nullable NodeSocketHandler socket, @Nullable Failed problem) {
        begun--;
        boolean mine = begunIn == generation;
        connecting = connecting && !mine;
        if (socket != null) {
            sockets.add(socket);
            if (mine && !closed) {
                current = socket;
                sendWaiting(socket);
            } else {
                socket.retire();
            }
            return;
        }
        if (problem != null) {
            shared.pause().failed(problem);
            if (mine) {
                failWaiting(problem);
            }
        }
    }

    /** Sends what waits, as far as there is room on the socket. */
    void sendWaiting(NodeSocketHandler socket) {
        while (socket == current && socket.hasRoom() && !waiting.isEmpty()) {
            socket.send(waiting.remove());
        }
    }

    /** Takes note that a socket takes no other call. */
    void retired(NodeSocketHandler socket) {
        if (current == socket) {
            current = null;
        }
    }

    /** Takes note that a socket is closed and its calls have ended; who waits gets another. */
    void gone(NodeSocketHandler socket) {
        sockets.remove(socket);
        retired(socket);
        connect();
    }

    /** Begins a new generation. */
    void reset(boolean failWaiting) {
        generation++;
        connecting = false;
        if (current != null) {
            current.retire();
        }
        if (failWaiting) {
            failWaiting(ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "another connection broke"));
        }
        connect();
    }

    /** Begins a new generation, and ends the calls under way. */
    void abort() {
        reset(false);
        closeAll(ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "another connection broke"));
    }

    /** Ends everything. */
    void close() {
        closed = true;
        generation++;
        failWaiting(ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed"));
        closeAll(ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "closed"));
    }

    private void failWaiting(NodeOutcome outcome) {
        // Emptied before they are told, because they may ask again.
        List<Attempt<RpcCall, NodeSocketHandler.Sent>> told = new ArrayList<>(waiting);
        waiting.clear();
        told.forEach(attempt -> attempt.end(outcome));
    }

    private void closeAll(NodeOutcome outcome) {
        new ArrayList<>(sockets).forEach(socket -> socket.close(outcome));
    }
}
