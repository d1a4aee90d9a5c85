package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.FairQueue;
import io.weir.limit.PlaceShares;
import io.weir.upstream.Attempt;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.NodeConnectionHandler.Codec;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one event loop to one node, in whichever protocol. Confined to that loop.
 *
 * <ul>
 *   <li>A call takes a place on the most recently used connection that has one, so that surplus connections grow old and are closed. If
 *       none has a place, the call waits in a queue, and a new connection is begun while the limit allows. A call that exceeds the limit of
 *       waiting calls without a new connection fails.
 *   <li>Callers have shares of the places and of the queue, and the one with the fewest goes first: see
 *       {@link PlaceShares} and {@link FairQueue}.
 *   <li>If no connection can be made, or its first question fails, all waiting calls fail at once. They were not sent, so they can move.
 *       If the protocol has a pause after failures, no new connection is begun during it, and calls in that time fail likewise.
 *   <li>A reset begins a new generation. Connections of older generations end with their last call, or as soon as they are made,
 *       and take no other call.
 *   <li>If the node closes an unused connection, only that connection is removed. If a reused connection breaks before an
 *       answer begins, the unused ones are closed too, because they are as old. A repeated call then gets a connection that
 *       has carried no call.
 *   <li>One timer serves the deadlines of all calls: nearly every call ends long before its own, so a timer of its own would only be made
 *       and removed again.
 *   <li>The answer to a call that was given up is ignored. If it must pass before another call can be sent, it is read and dropped; the
 *       connection is closed if that takes too long, or if a call waits for its place.
 * </ul>
 */
final class Link implements BatchWindow.Carrier, NodeSubscription {

    /** Time in which a node must answer the first call. */
    private static final long MAX_FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Failed WRONG_NODE =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the node behind the address serves another chain now");

    private static final Failed UNUSABLE =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the first question on a new connection failed");

    private static final Failed GIVEN_UP = ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "given up");

    private final EventLoop loop;
    private final NodeConnector connector;
    private final Codec codec;
    private final LinkLimits limits;
    private final boolean patient;
    private final Supplier<@Nullable ChainQuestion> firstQuestion;
    private final AnswerResources resources;
    /** Connections that can take a call, the most recently used one first. */
    private final Deque<NodeConnectionHandler> free = new ArrayDeque<>();
    /** Connections that were made and have not ended. */
    private final Set<NodeConnectionHandler> connected = new HashSet<>();

    private final RequestWriter writer = new RequestWriter();
    private final FairQueue<Attempt> waiting = new FairQueue<>(Attempt::holder);
    private final PlaceShares places;
    /** Connections that take no call before an unwanted answer has passed. */
    private final Deque<NodeConnectionHandler> discarding = new ArrayDeque<>();

    private final Consumer<Attempt> cancelled = this::cancelled;
    private final LongSupplier ids = this::nextId;
    private NodeSubscription.@Nullable Listener listener;
    private @Nullable ScheduledFuture<?> sweep;
    private @Nullable ScheduledFuture<?> look;
    private @Nullable ScheduledFuture<?> deadline;
    /** When that timer runs: no call in flight or waiting has an earlier deadline. */
    private long armedNanos;

    private boolean closed;
    private int generation;
    /** Connecting connections, of all generations. */
    private int begun;
    /** Connecting ones of this generation. */
    private int connecting;

    private long lastId;
    private Runnable onLoss = () -> {};
    /** Whether a connection was lost since a new one was found to lead to the right node. */
    private boolean lost;

    /**
     * @param patient whether pauses are obeyed
     * @param firstQuestion comes first on a new connection after one was lost; null for none
     */
    Link(
            EventLoop loop,
            NodeConnector connector,
            Codec codec,
            LinkLimits limits,
            boolean patient,
            Supplier<@Nullable ChainQuestion> firstQuestion) {
        this.loop = loop;
        this.connector = connector;
        this.codec = codec;
        this.limits = limits;
        this.patient = patient;
        this.firstQuestion = firstQuestion;
        this.places = new PlaceShares(limits.maxConnections() * limits.maxCalls(), System::nanoTime);
        this.resources = new AnswerResources(loop, limits);
    }

    /** Carries a subscription: a connection stays open without calls, and is not made again. Called before the first call. */
    Link subscribe(NodeSubscription.Listener notified) {
        listener = notified;
        return this;
    }

    NodeSubscription.@Nullable Listener listener() {
        return listener;
    }

    LinkLimits limits() {
        return limits;
    }

    NodeConnector connector() {
        return connector;
    }

    AnswerResources resources() {
        return resources;
    }

    /** Returns how many connections are open or connecting. */
    int open() {
        return begun + connected.size();
    }

    @Override
    public void ask(RpcCall call, long deadlineNanos, Consumer<NodeOutcome> taker) {
        Attempt attempt = Attempt.of(taker);
        attempt.setCall(call);
        send(attempt, false, deadlineNanos);
    }

    /** Sends a call over a connection that has carried no call before, if calls have connections of their own. */
    void sendAnew(Attempt attempt, long deadlineNanos) {
        send(attempt, !codec.isMultiplexed(), deadlineNanos);
    }

    @Override
    public void send(Attempt attempt, boolean anew, long deadlineNanos) {
        if (anew) {
            evictOldest();
        }
        attempt.setAnew(anew);
        long left = deadlineNanos - System.nanoTime();
        Object holder = attempt.holder();
        NodeConnectionHandler taken = anew ? null : free();
        if (taken != null && !places.permits(holder)) {
            taken = null;
        }
        Failed refusal = refusal(left, holder, taken != null);
        if (refusal != null) {
            attempt.end(refusal);
            return;
        }
        watch(attempt, deadlineNanos, left);
        attempt.cancelledBy(cancelled);
        if (taken != null) {
            send(taken, attempt);
            return;
        }
        waiting.add(attempt);
        freePlace();
        connectMore();
        lookLater();
    }

    private void evictOldest() {
        NodeConnectionHandler oldest = counted() >= limits.maxConnections() ? free.peekLast() : null;
        if (oldest != null) {
            oldest.retire();
        }
    }

    /** Returns the connection that takes the next call; null if there is none. */
    private @Nullable NodeConnectionHandler free() {
        NodeConnectionHandler first = free.peek();
        while (first != null && !first.isActive()) {
            withdraw(first);
            first = free.peek();
        }
        return first;
    }

    /** Offers a connection to calls, if it can take one. */
    private void offer(NodeConnectionHandler connection) {
        if (!connection.offered && connection.hasCapacity()) {
            connection.offered = true;
            free.push(connection);
        }
    }

    /** Offers a connection to no other call. */
    void withdraw(NodeConnectionHandler connection) {
        if (connection.offered) {
            connection.offered = false;
            free.remove(connection);
        }
    }

    /** Returns how many connections count towards the limit. */
    private int counted() {
        if (!codec.isMultiplexed()) {
            return open();
        }
        int serving = connecting;
        for (NodeConnectionHandler connection : connected) {
            serving += connection.isRetiring() ? 0 : 1;
        }
        return serving;
    }

    /** Looks again at calls that wait beside unused places, because these were kept for small holders. */
    private void lookLater() {
        if (look == null && !closed && !free.isEmpty() && waiting.size() > 0) {
            look = loop.schedule(
                    () -> {
                        look = null;
                        serveWaiting();
                        lookLater();
                    },
                    PlaceShares.WINDOW_NANOS,
                    TimeUnit.NANOSECONDS);
        }
    }

    private @Nullable Failed refusal(long leftNanos, Object holder, boolean takesPlace) {
        if (closed) {
            return ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed");
        }
        if (leftNanos <= 0) {
            return ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no time left");
        }
        if (takesPlace) {
            return null;
        }
        int used = counted();
        Failed pausing = used == 0 ? pausing() : null;
        if (pausing != null || used < limits.maxConnections()) {
            return pausing;
        }
        // Calls that a connection in the making will take at once do not count as waiting.
        long queued = Math.max(0, waiting.size() - (long) connecting * limits.maxCalls());
        return waiting.permits(holder, limits.maxQueue() - queued - 1)
                ? null
                : ReplyVerdict.failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection");
    }

    private @Nullable Failed pausing() {
        ReconnectPause pause = codec.pause();
        return patient && pause != null ? pause.problem() : null;
    }

    /** @param leftNanos from now to the deadline */
    private void watch(Attempt attempt, long dueNanos, long leftNanos) {
        attempt.endsBy(dueNanos);
        if (deadline == null || dueNanos - armedNanos < 0) {
            stop(deadline);
            armedNanos = dueNanos;
            deadline = loop.schedule(this::endLate, leftNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void endLate() {
        deadline = null;
        long now = System.nanoTime();
        for (Attempt attempt : attempts()) {
            if (attempt.isBounded() && attempt.deadlineNanos() - now <= 0) {
                giveUp(attempt);
            }
        }
        Attempt next = null;
        for (Attempt attempt : attempts()) {
            if (attempt.isBounded() && (next == null || attempt.deadlineNanos() - next.deadlineNanos() < 0)) {
                next = attempt;
            }
        }
        if (next != null) {
            watch(next, next.deadlineNanos(), next.deadlineNanos() - System.nanoTime());
        }
    }

    private static void stop(@Nullable ScheduledFuture<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private List<Attempt> attempts() {
        List<Attempt> all = waiting.entries();
        connected.forEach(connection -> connection.addCalls(all));
        return all;
    }

    private void giveUp(Attempt attempt) {
        NodeConnectionHandler connection = (NodeConnectionHandler) attempt.connection();
        if (connection == null) {
            waiting.remove(attempt);
            attempt.end(ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time"));
        } else {
            connection.giveUp(attempt, ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time"));
        }
    }

    private void cancelled(Attempt attempt) {
        NodeConnectionHandler connection = (NodeConnectionHandler) attempt.connection();
        if (connection == null) {
            waiting.remove(attempt);
        } else if (connection.discardAnswer(attempt, GIVEN_UP)) {
            discarding.add(connection);
            freePlace();
        }
    }

    /** Closes a connection with an unwanted answer if a call waits for its place. */
    private void freePlace() {
        if (!discarding.isEmpty() && open() >= limits.maxConnections() && connecting < waiting.size()) {
            discarding.remove().close(GIVEN_UP);
        }
    }

    private long nextId() {
        return ++lastId;
    }

    private void send(NodeConnectionHandler connection, Attempt attempt) {
        places.take(attempt.holder());
        attempt.sentOver(connection);
        long id = lastId + 1;
        connection.send(attempt, id, attempt.write(writer, ids));
        writer.release();
        if (!connection.hasCapacity()) {
            withdraw(connection);
        }
    }

    boolean isMultiplexed() {
        return codec.isMultiplexed();
    }

    /** Takes back the place of a call, which its connection carries no more. */
    void giveBack(Attempt attempt) {
        places.give(attempt.holder());
    }

    /** Connects if calls wait for which no connection is in the making. */
    private void connectMore() {
        while (!closed
                && (long) connecting * limits.maxCalls() < waiting.size()
                && counted() < limits.maxConnections()) {
            Failed pausing = pausing();
            if (pausing != null) {
                failWaiting(pausing);
                return;
            }
            begun++;
            connecting++;
            int now = generation;
            connector.connect(
                    loop, () -> codec.connection(this), (connection, problem) -> connected(now, connection, problem));
        }
    }

    private void connected(int begunIn, @Nullable NodeConnectionHandler connection, @Nullable Failed problem) {
        begun--;
        boolean current = begunIn == generation;
        if (current) {
            connecting--;
        }
        if (connection != null) {
            connected.add(connection);
            ChainQuestion first = lost && current ? firstQuestion.get() : null;
            if (!current) {
                connection.retire();
            } else if (first == null) {
                release(connection);
            } else {
                askFirst(connection, first);
            }
            return;
        }
        if (problem != null) {
            ReconnectPause pause = codec.pause();
            if (pause != null) {
                pause.failed(problem);
            }
            if (current) {
                failWaiting(problem);
            }
        }
        connectMore();
    }

    /** Asks a new connection which node it leads to, before a call uses it. */
    private void askFirst(NodeConnectionHandler connection, ChainQuestion first) {
        connection.withhold(true);
        int asked = generation;
        Attempt attempt = Attempt.of(outcome -> {
            boolean failed = outcome instanceof Failed;
            if (!failed && isRight(first, outcome)) {
                lost = false;
                connection.withhold(false);
                release(connection);
                return;
            }
            connection.retire();
            if (asked == generation) {
                failWaiting(failed ? UNUSABLE : WRONG_NODE);
            }
        });
        attempt.setCall(first.call());
        watch(attempt, System.nanoTime() + MAX_FIRST_NANOS, MAX_FIRST_NANOS);
        send(connection, attempt);
    }

    /** A node that does not name its chain may be the right one. */
    private static boolean isRight(ChainQuestion first, NodeOutcome outcome) {
        boolean named = outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result;
        return !named || first.isAnsweredBy(((RpcReply.Result) ((Answered) outcome).reply()).value());
    }

    /** Takes back a connection on which a call has ended, for reuse. */
    void release(NodeConnectionHandler connection) {
        if (connection.isWithheld()) {
            return;
        }
        discarding.remove(connection);
        if (connection.isRetiring() || !connection.isActive()) {
            connection.retire();
            return;
        }
        Attempt next = waiting.peek(places);
        if (next != null && next.anew() && connection.isUsed()) {
            // Frees a slot for a connection that has carried no call.
            connection.retire();
            return;
        }
        if (next != null && connection.hasCapacity()) {
            waiting.takeTurn(next);
            send(connection, next);
            offer(connection);
            serveWaiting();
            lookLater();
            return;
        }
        offer(connection);
        if (isIdle(connection)) {
            connection.idleSinceNanos = System.nanoTime();
            if (sweep == null) {
                sweep = loop.schedule(this::closeOld, limits.idleMillis(), TimeUnit.MILLISECONDS);
            }
        }
        lookLater();
    }

    /** Lets waiting calls take unused places. One that was given back may let several calls of a holder take their turns. */
    private void serveWaiting() {
        Attempt next = waiting.peek(places);
        while (next != null && !next.anew()) {
            NodeConnectionHandler unused = free();
            if (unused == null) {
                return;
            }
            waiting.takeTurn(next);
            send(unused, next);
            next = waiting.peek(places);
        }
    }

    /**
     * Handles the end of a connection.
     *
     * @param stale whether it was reused and broke before an answer began
     * @param notifyCalls ends the calls in flight; the other calls are handled after that
     */
    void gone(NodeConnectionHandler connection, boolean stale, Runnable notifyCalls) {
        connected.remove(connection);
        discarding.remove(connection);
        connection.stopAccepting();
        if (connection.isLost()) {
            lost = true;
            Runnable action = onLoss;
            onLoss = () -> {};
            action.run();
        }
        if (stale) {
            closeFree();
        }
        notifyCalls.run();
        if (listener != null && !closed) {
            close();
            listener.ended();
        }
        serveWaiting();
        connectMore();
    }

    /** Runs an action once, when the node ends a connection. It replaces an earlier one. */
    void whenLost(Runnable action) {
        onLoss = action;
    }

    private boolean isIdle(NodeConnectionHandler connection) {
        return connection.calls() == 0 && listener == null;
    }

    private void closeOld() {
        sweep = null;
        long now = System.nanoTime();
        long idleNanos = TimeUnit.MILLISECONDS.toNanos(limits.idleMillis());
        NodeConnectionHandler oldest = free.peekLast();
        while (oldest != null && isIdle(oldest) && now - oldest.idleSinceNanos >= idleNanos) {
            oldest.retire();
            oldest = free.peekLast();
        }
        if (oldest != null && isIdle(oldest)) {
            long rest = oldest.idleSinceNanos + idleNanos - now;
            sweep = loop.schedule(this::closeOld, rest, TimeUnit.NANOSECONDS);
        }
    }

    void reset(boolean failWaiting) {
        generation++;
        connecting = 0;
        List.copyOf(connected).forEach(NodeConnectionHandler::retire);
        if (failWaiting) {
            failWaiting(ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "another connection broke"));
        }
        connectMore();
    }

    void abort() {
        reset(false);
        closeAll(ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "another connection broke"));
    }

    @Override
    public void close() {
        closed = true;
        generation++;
        stop(sweep);
        stop(look);
        stop(deadline);
        failWaiting(ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed"));
        closeAll(ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "closed"));
        resources.close();
    }

    private void failWaiting(NodeOutcome outcome) {
        // Emptied before they end, because their owners may send again.
        waiting.drain().forEach(attempt -> attempt.end(outcome));
    }

    private void closeAll(NodeOutcome outcome) {
        List.copyOf(connected).forEach(connection -> connection.close(outcome));
    }

    private void closeFree() {
        for (NodeConnectionHandler unused = free.peek(); unused != null; unused = free.peek()) {
            unused.retire();
        }
    }
}
