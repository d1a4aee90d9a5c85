package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.FairQueue;
import io.weir.limit.PlaceShares;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.batch.BatchWindow;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.AttemptDeadlines;
import io.weir.upstream.wire.Message;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one event loop to one node. Confined to that loop.
 *
 * <ul>
 *   <li>A call takes the most recently used connection, so that surplus ones grow old and are closed. If none is unused, the
 *       call waits in a queue, and a new connection is begun while the limit allows. A call that exceeds the limit of
 *       waiting calls without a new connection fails.
 *   <li>Those for whom calls are made have shares of the connections and of the queue, and who has the fewest goes first: see
 *       {@link PlaceShares} and {@link FairQueue}.
 *   <li>If no connection can be made, or its first question fails, all waiting calls fail at once. They were not sent, so they can move.
 *   <li>A reset begins a new generation. Connections of older generations end with their call, or as soon as they are made,
 *       and take no other call.
 *   <li>If the node closes an unused connection, only that connection is removed. If a reused connection breaks before an
 *       answer begins, the unused ones are closed too, because they are as old. A repeated call then gets a connection that
 *       has carried no call.
 *   <li>The answer to a call that was given up is read and dropped, so that the connection can carry another call. The connection
 *       is closed if that takes too long, or if a call waits for its place.
 * </ul>
 */
final class LoopConnections implements BatchWindow.Carrier {

    /** Time in which an unwanted answer must end. */
    private static final long MAX_DISCARD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Time in which a node must answer the first call. */
    private static final long MAX_FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Failed WRONG_NODE =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the node behind the address serves another chain now");

    private static final Failed UNUSABLE =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the first question on a new connection failed");

    private static final Failed GIVEN_UP = ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "given up");

    private final EventLoop loop;
    private final NodeConnector connector;
    private final byte[] head;
    private final ConnectionLimits limits;
    private final AnswerResources resources;
    private final Deque<NodeConnectionHandler> idle = new ArrayDeque<>();
    /** Those that were made and have not ended. */
    private final Set<NodeConnectionHandler> connected = new HashSet<>();

    private final FairQueue<Attempt> waiting = new FairQueue<>(Attempt::holder);
    /** For whom the busy connections are. */
    private final Map<NodeConnectionHandler, Object> holders = new HashMap<>();

    private final PlaceShares places;
    /** Busy connections whose answer nobody wants. */
    private final Deque<NodeConnectionHandler> discarding = new ArrayDeque<>();

    private final Consumer<Attempt> cancelled = this::cancelled;
    private final AttemptDeadlines deadlines;
    private @Nullable ScheduledFuture<?> sweep;
    private @Nullable ScheduledFuture<?> look;
    private boolean closed;
    private int generation;
    /** Open or connecting connections, of all generations. */
    private int open;
    /** Connecting ones of this generation. */
    private int connecting;

    private long lastId;
    private final Supplier<@Nullable ChainQuestion> firstQuestion;
    private Runnable onLoss = () -> {};
    /** Whether a connection was lost since a new one was found to lead to the right node. */
    private boolean lost;

    /**
     * @param head see {@link RequestHead#of}
     * @param firstQuestion comes first on a new connection after one was lost; null for none
     */
    LoopConnections(
            EventLoop loop,
            NodeConnector connector,
            byte[] head,
            ConnectionLimits limits,
            Supplier<@Nullable ChainQuestion> firstQuestion) {
        this.firstQuestion = firstQuestion;
        this.loop = loop;
        this.connector = connector;
        this.head = head;
        this.limits = limits;
        this.places = new PlaceShares(limits.maxConnections(), System::nanoTime);
        this.resources = new AnswerResources(loop, limits);
        this.deadlines = new AttemptDeadlines(loop, this::attempts, this::giveUp);
    }

    /** Returns what the answers of the connections share. */
    AnswerResources resources() {
        return resources;
    }

    /** Returns how many connections are open or connecting. */
    int open() {
        return open;
    }

    @Override
    public void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        post(new SingleMessage(call), false, deadlineNanos, sink);
    }

    /** Sends a call over a connection that has carried no call before. */
    void askAnew(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        post(new SingleMessage(call), true, deadlineNanos, sink);
    }

    @Override
    public void post(Message message, boolean anew, long deadlineNanos, OutcomeSink sink) {
        if (anew) {
            evictOldest();
        }
        Attempt attempt = Attempt.of(sink);
        attempt.setRequest(message, anew);
        ask(attempt, deadlineNanos, anew ? null : unused());
    }

    private void giveBack(NodeConnectionHandler connection) {
        Object holder = holders.remove(connection);
        if (holder != null) {
            places.give(holder);
        }
    }

    private void evictOldest() {
        NodeConnectionHandler oldest = open >= limits.maxConnections() ? idle.pollLast() : null;
        if (oldest != null) {
            oldest.close();
        }
    }

    private @Nullable NodeConnectionHandler unused() {
        NodeConnectionHandler unused = idle.poll();
        while (unused != null && !unused.isActive()) {
            unused = idle.poll();
        }
        return unused;
    }

    private void ask(Attempt attempt, long deadlineNanos, @Nullable NodeConnectionHandler unused) {
        long left = deadlineNanos - System.nanoTime();
        Object holder = attempt.holder();
        boolean takesUnused = unused != null && places.permits(holder);
        Failed refusal = refusal(left, holder, takesUnused);
        if (unused != null && (refusal != null || !takesUnused)) {
            idle.push(unused);
        }
        if (refusal != null) {
            attempt.end(refusal);
            return;
        }
        deadlines.add(attempt, deadlineNanos, left);
        attempt.cancelledBy(cancelled);
        if (unused != null && takesUnused) {
            send(unused, attempt);
            return;
        }
        waiting.add(attempt);
        freePlace();
        connectMore();
        lookLater();
    }

    /** Looks again at calls that wait beside unused connections, because these were kept for small holders. */
    private void lookLater() {
        if (look == null && !closed && !idle.isEmpty() && waiting.size() > 0) {
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

    private @Nullable Failed refusal(long leftNanos, Object holder, boolean takesUnused) {
        if (closed) {
            return ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed");
        }
        if (leftNanos <= 0) {
            return ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no time left");
        }
        int free = limits.maxQueue() - Math.max(0, waiting.size() - connecting) - 1;
        boolean full = open >= limits.maxConnections() && !waiting.permits(holder, free);
        return full && !takesUnused
                ? ReplyVerdict.failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection")
                : null;
    }

    private List<Attempt> attempts() {
        List<Attempt> all = waiting.entries();
        for (NodeConnectionHandler connection : connected) {
            Attempt carried = connection.attempt();
            if (carried != null) {
                all.add(carried);
            }
        }
        return all;
    }

    private void giveUp(Attempt attempt) {
        NodeConnectionHandler connection = (NodeConnectionHandler) attempt.connection();
        if (connection == null) {
            waiting.remove(attempt);
            attempt.end(ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time"));
        } else {
            connection.close(ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time"));
        }
    }

    private void cancelled(Attempt attempt) {
        NodeConnectionHandler connection = (NodeConnectionHandler) attempt.connection();
        if (connection == null) {
            waiting.remove(attempt);
            return;
        }
        connection.discardAnswer(GIVEN_UP);
        discarding.add(connection);
        freePlace();
        attempt.endsWith(loop.schedule(
                () -> {
                    if (attempt.equals(connection.attempt())) {
                        connection.close(GIVEN_UP);
                    }
                },
                MAX_DISCARD_NANOS,
                TimeUnit.NANOSECONDS));
    }

    /** Closes a connection with an unwanted answer if a call waits for its place. */
    private void freePlace() {
        if (!discarding.isEmpty() && open >= limits.maxConnections() && connecting < waiting.size()) {
            discarding.remove().close(GIVEN_UP);
        }
    }

    private void send(NodeConnectionHandler connection, Attempt attempt) {
        holders.put(connection, attempt.holder());
        places.take(attempt.holder());
        byte[] body = attempt.message().write(() -> ++lastId);
        connection.send(attempt, head, body);
    }

    private void connectMore() {
        while (!closed && open < limits.maxConnections() && connecting < waiting.size()) {
            open++;
            connecting++;
            int begun = generation;
            connector.connect(
                    loop,
                    () -> new NodeConnectionHandler(this, begun),
                    (connection, problem) -> connected(begun, connection, problem));
        }
    }

    private void connected(int begun, @Nullable NodeConnectionHandler connection, @Nullable Failed problem) {
        boolean current = begun == generation;
        if (current) {
            connecting--;
        }
        if (connection != null) {
            connected.add(connection);
            ChainQuestion first = lost && current && !closed ? firstQuestion.get() : null;
            if (first == null) {
                release(connection);
            } else {
                askFirst(connection, first);
            }
            return;
        }
        open--;
        if (current && problem != null) {
            failWaiting(problem);
        }
        connectMore();
    }

    /** Asks a new connection which node it leads to, before a call uses it. */
    private void askFirst(NodeConnectionHandler connection, ChainQuestion first) {
        connection.withhold(true);
        Attempt attempt = Attempt.of(outcome -> {
            boolean failed = outcome instanceof Failed;
            if (!failed && isRight(first, outcome)) {
                lost = false;
                connection.withhold(false);
                release(connection);
                return;
            }
            connection.close();
            if (connection.generation() == generation) {
                failWaiting(failed ? UNUSABLE : WRONG_NODE);
            }
        });
        attempt.setRequest(new SingleMessage(first.call()), false);
        attempt.endsBy(System.nanoTime() + MAX_FIRST_NANOS);
        attempt.endsWith(loop.schedule(() -> giveUp(attempt), MAX_FIRST_NANOS, TimeUnit.NANOSECONDS));
        send(connection, attempt);
    }

    /** A node that does not name its chain may be the right one. */
    private static boolean isRight(ChainQuestion first, NodeOutcome outcome) {
        boolean named = outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result;
        return !named || first.isAnsweredBy(((RpcReply.Result) ((Answered) outcome).reply()).value());
    }

    /** Takes back a connection whose call has ended, for reuse. */
    void release(NodeConnectionHandler connection) {
        if (connection.isWithheld()) {
            return;
        }
        discarding.remove(connection);
        boolean wanted = !closed && connection.generation() == generation;
        if (!wanted || !connection.isActive() || (connection.used() && connection.isOlderThan(limits.renewMillis()))) {
            connection.close();
            return;
        }
        giveBack(connection);
        Attempt next = waiting.peek(places);
        if (next != null && next.anew() && connection.used()) {
            // Frees a slot for a connection that has carried no call.
            connection.close();
            return;
        }
        if (next != null) {
            waiting.takeTurn(next);
            send(connection, next);
            serveWaiting();
            return;
        }
        connection.idleSince(System.nanoTime());
        idle.push(connection);
        lookLater();
        if (sweep == null) {
            sweep = loop.schedule(this::closeOld, limits.idleMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Lets waiting calls take unused connections. One that was given back may let several calls of a holder take their turns. */
    private void serveWaiting() {
        Attempt next = waiting.peek(places);
        while (next != null && !next.anew()) {
            NodeConnectionHandler unused = unused();
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
     * @param notifyCall ends the call in flight; the other calls are handled after that
     */
    void gone(NodeConnectionHandler connection, boolean stale, Runnable notifyCall) {
        open--;
        if (connection.isLost()) {
            lost = true;
            Runnable action = onLoss;
            onLoss = () -> {};
            action.run();
        }
        giveBack(connection);
        connected.remove(connection);
        discarding.remove(connection);
        idle.remove(connection);
        if (stale) {
            closeIdle();
        }
        notifyCall.run();
        serveWaiting();
        connectMore();
    }

    /** Runs an action once, when the node ends a connection. It replaces an earlier one. */
    void whenLost(Runnable action) {
        onLoss = action;
    }

    private void closeOld() {
        sweep = null;
        long now = System.nanoTime();
        long idleNanos = TimeUnit.MILLISECONDS.toNanos(limits.idleMillis());
        NodeConnectionHandler oldest = idle.peekLast();
        while (oldest != null && now - oldest.idleSinceNanos() >= idleNanos) {
            idle.removeLast();
            oldest.close();
            oldest = idle.peekLast();
        }
        if (oldest != null) {
            long rest = oldest.idleSinceNanos() + idleNanos - now;
            sweep = loop.schedule(this::closeOld, rest, TimeUnit.NANOSECONDS);
        }
    }

    /** Begins a new generation. */
    void reset(boolean failWaiting) {
        generation++;
        connecting = 0;
        closeIdle();
        if (failWaiting) {
            failWaiting(ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "another connection broke"));
        }
        connectMore();
    }

    /** Begins a new generation and ends the calls in flight. */
    void abort() {
        reset(false);
        closeAll(ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "another connection broke"));
    }

    /** Closes all connections and fails all calls. */
    void close() {
        closed = true;
        generation++;
        if (sweep != null) {
            sweep.cancel(false);
        }
        if (look != null) {
            look.cancel(false);
        }
        deadlines.close();
        closeIdle();
        failWaiting(ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed"));
        closeAll(ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "closed"));
        resources.close();
    }

    private void failWaiting(NodeOutcome outcome) {
        waiting.drain().forEach(attempt -> attempt.end(outcome));
    }

    private void closeAll(NodeOutcome outcome) {
        new ArrayList<>(connected).forEach(connection -> connection.close(outcome));
    }

    private void closeIdle() {
        for (NodeConnectionHandler unused = idle.poll(); unused != null; unused = idle.poll()) {
            unused.close();
        }
    }
}
