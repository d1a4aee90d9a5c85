package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.FairQueue;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Socket of one event loop to one node. Confined to that loop.
 *
 * <ul>
 *   <li>The first call starts the connection, and calls wait for it. On an open socket calls are sent at once, up to a
 *       limit. Beyond that they wait in a queue, up to another limit.
 *   <li>If the socket cannot be made, all waiting calls fail at once. They were not sent, so they can move. No new socket is
 *       begun during the pause that follows, and calls in that time fail likewise.
 *   <li>A reset begins a new generation. The socket takes no other call and is closed after the last answer. A socket in the
 *       making is closed when it is ready.
 * </ul>
 */
final class LoopSocket {

    /**
     * Parts that the sockets of one node share. Immutable.
     *
     * @param pause obeyed by sockets for calls, updated by all
     */
    record Shared(
            NodeConnector connector, Handshake handshake, ReconnectPause pause, UnsolicitedMessages unsolicited) {}

    /** Listener of sockets that stay open for notifications. Confined to their event loop. */
    interface Notifications {

        /** Takes a notification. The message is given up afterwards. */
        void notified(BodyCollector message);

        /** Handles the end of a socket that was open. */
        void gone();
    }

    private static final Failed UNSENT =
            ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time");
    private static final Failed LATE = ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time");
    private static final Failed GIVEN_UP = ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "given up");

    private final EventLoop loop;
    private final Shared shared;
    private final SocketLimits limits;
    private final boolean patient;
    private final FairQueue<Attempt> waiting = new FairQueue<>(Attempt::holder);
    private final Set<NodeSocketHandler> sockets = new HashSet<>();
    private final Consumer<Attempt> cancelled = this::cancelled;
    private @Nullable Notifications notifications;
    private @Nullable NodeSocketHandler current;
    private boolean closed;
    private int generation;
    /** Whether a socket of this generation is in the making. */
    private boolean connecting;
    /** Sockets in the making, of all generations. */
    private int begun;

    /** @param patient whether pauses are obeyed */
    LoopSocket(EventLoop loop, Shared shared, SocketLimits limits, boolean patient) {
        this.loop = loop;
        this.shared = shared;
        this.limits = limits;
        this.patient = patient;
    }

    /** Sets the listener of notifications, for which a socket stays open. Called before the first call. */
    void listen(Notifications listener) {
        notifications = listener;
    }

    SocketLimits limits() {
        return limits;
    }

    Shared shared() {
        return shared;
    }

    /** Returns how many sockets are open or in the making. */
    int open() {
        return begun + sockets.size();
    }

    /** Sends a call. The outcome may be delivered before this method returns. */
    void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        long left = deadlineNanos - System.nanoTime();
        NodeSocketHandler free = current != null && current.hasCapacity() ? current : null;
        Attempt attempt = Attempt.of(sink);
        attempt.setCall(call);
        Failed refusal = refusal(left, attempt.holder(), free);
        if (refusal != null) {
            attempt.end(refusal);
            return;
        }
        attempt.endsWith(loop.schedule(() -> giveUp(attempt, UNSENT, LATE), left, TimeUnit.NANOSECONDS));
        attempt.cancelledBy(cancelled);
        if (free != null) {
            free.send(attempt);
        } else {
            waiting.add(attempt);
            connect();
        }
    }

    private @Nullable Failed refusal(long leftNanos, Object holder, @Nullable NodeSocketHandler free) {
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
        // Calls that a socket in the making will take at once do not count as waiting.
        long capacity = limits.maxQueue() + (current == null ? limits.maxInFlight() : 0L);
        return waiting.permits(holder, capacity - waiting.size() - 1)
                ? null
                : ReplyVerdict.failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection");
    }

    private @Nullable Failed pausing() {
        return patient ? shared.pause().problem() : null;
    }

    private void cancelled(Attempt attempt) {
        giveUp(attempt, GIVEN_UP, GIVEN_UP);
    }

    private void giveUp(Attempt attempt, Failed unsent, Failed late) {
        NodeSocketHandler.Sent sent = (NodeSocketHandler.Sent) attempt.connection();
        if (sent == null) {
            waiting.remove(attempt);
            attempt.end(unsent);
        } else {
            sent.giveUp(late);
        }
    }

    /** Connects if calls wait for a socket and none exists. */
    private void connect() {
        if (closed || connecting || current != null || waiting.size() == 0) {
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

    /** Sends waiting calls, as many as the socket accepts. */
    void sendWaiting(NodeSocketHandler socket) {
        while (socket == current && socket.hasCapacity()) {
            Attempt next = waiting.next();
            if (next == null) {
                return;
            }
            socket.send(next);
        }
    }

    /** Returns whether a socket without calls stays open. */
    boolean expectsNotifications() {
        return notifications != null;
    }

    /** Takes a notification. */
    void notified(BodyCollector message) {
        if (notifications == null) {
            shared.unsolicited().count(UnsolicitedMessages.Kind.NOTIFICATION);
        } else {
            notifications.notified(message);
        }
    }

    /** Notes that a socket takes no other call. */
    void retired(NodeSocketHandler socket) {
        if (current == socket) {
            current = null;
        }
    }

    /** Notes that a socket is closed and its calls have ended. Waiting calls get another socket. */
    void gone(NodeSocketHandler socket) {
        sockets.remove(socket);
        retired(socket);
        if (notifications != null) {
            notifications.gone();
        }
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

    /** Begins a new generation and ends the calls in flight. */
    void abort() {
        reset(false);
        closeAll(ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "another connection broke"));
    }

    /** Closes all sockets and fails all calls. */
    void close() {
        closed = true;
        generation++;
        failWaiting(ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed"));
        closeAll(ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "closed"));
    }

    private void failWaiting(NodeOutcome outcome) {
        // Emptied before they end, because their owners may send again.
        List<Attempt> ended = waiting.drain();
        ended.forEach(attempt -> attempt.end(outcome));
    }

    private void closeAll(NodeOutcome outcome) {
        new ArrayList<>(sockets).forEach(socket -> socket.close(outcome));
    }
}
