package io.weir.subscription.stream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Backoff;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Results that only nodes can tell, such as pending transactions, from one node at a time while there are members. Confined to its
 * event loop.
 *
 * <ul>
 *   <li>The first node that accepts the subscription over its WebSocket is used. In each tier such nodes come before those whose filter
 *       is polled, for topics that have one.
 *   <li>If the connection ends, or the node leaves the pool, another node takes its place. A result that was told lately is not told
 *       again. Topics whose results cannot be told apart end with their node.
 *   <li>If no node takes its place in time, the members end.
 * </ul>
 */
public final class FailoverFeed {

    private static final RpcError LOST =
            ErrorCode.INTERNAL_ERROR.error("the upstream that served the subscription ended it: subscribe again");

    /** Time between two rounds over all nodes, and between two looks at the node in use. Also the first pause of a failed attempt. */
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_DOUBLINGS = 3;

    /** Pause of an attempt that was refused. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Time for which a new member waits for the first probes of all nodes. */
    private static final long PROBED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Results that a node may tell in one round. No chain has as many. */
    static final int MAX_PER_ROUND = 100_000;

    private final Topic topic;
    private final UpstreamPool pool;
    private final EventLoop loop;
    private final StreamTimer timer;
    private final long lostNanos;
    private final Listener listener;
    private final Backoff<Attempt> pauses = new Backoff<>(ROUND_NANOS, MAX_DOUBLINGS, REFUSED_NANOS);
    /** The attempts of the round that were not made yet. */
    private final Queue<Attempt> coming = new ArrayDeque<>();

    private final List<Joining> joining = new ArrayList<>();
    /** Newest hashes, the oldest first: the last 64 bits of each. */
    private final Set<Long> recent = new LinkedHashSet<>();

    private @Nullable Run current;
    /** The first error with which a node answered; null if none did. */
    private RpcReply.@Nullable Failure refusal;

    private int members;
    private int generation;
    private boolean running;
    /** Whether members were accepted, which go on when their node is lost. */
    private boolean accepted;

    private long sinceNanos;

    /**
     * What a feed wants of nodes, and how it reads their results. Immutable.
     *
     * @param call the subscription, over a node's WebSocket
     * @param isPolled whether a filter of pending transactions serves it too
     * @param goesOn whether another node goes on when one is lost
     * @param passesErrors whether clients get the errors of nodes
     * @param unknown the answer if no node has it
     * @param maxRecent number of results that are not told again; each takes about 70 bytes
     * @param reader reads a result; null if it is none, so that the node is left
     */
    public record Topic(
            RpcCall call,
            boolean isPolled,
            boolean goesOn,
            boolean passesErrors,
            RpcReply.Failure unknown,
            int maxRecent,
            Function<RawJson, @Nullable Result> reader) {

        private static final int PENDING = 32_768;
        private static final int PASSED = 4_096;
        private static final int DIGITS = 64;
        private static final NameTable HASH = NameTable.of(Set.of("hash"));

        /**
         * Returns that of pending transactions.
         *
         * @param whole whether whole transactions are wanted, or only their hashes
         */
        public static Topic pending(boolean whole) {
            RpcReply.Failure unknown = RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error(
                    "no \"newPendingTransactions\" subscription in eth namespace: no upstream offers "
                            + (whole ? "whole transactions over a WebSocket" : "it")));
            return new Topic(
                    ChainCalls.subscribeToPending(whole),
                    !whole,
                    true,
                    false,
                    unknown,
                    PENDING,
                    result -> pending(result, whole));
        }

        /**
         * Returns that of a kind that the proxy does not know.
         *
         * @param call with the parameters as the client wrote them
         * @param unknown the answer if no node has a WebSocket
         * @param hash the member with the hash of a result that is not a hash itself, if another node goes on when one is lost; null if
         *     the subscription ends then
         */
        public static Topic passed(RpcCall call, RpcReply.Failure unknown, @Nullable String hash) {
            NameTable member = hash == null ? null : NameTable.of(Set.of(hash));
            return new Topic(call, false, member != null, true, unknown, PASSED, result -> passed(result, member));
        }

        private static @Nullable Result pending(RawJson transaction, boolean whole) {
            HexText hash = whole && transaction.first() != '{' ? null : hash(transaction, HASH);
            return hash == null || hash.digits() != DIGITS
                    ? null
                    : new Result(hash, whole ? transaction : hash.bytes());
        }

        private static Result passed(RawJson result, @Nullable NameTable member) {
            HexText hash = member == null ? null : hash(result, member);
            return new Result(hash == null || hash.digits() == 0 ? null : hash, result);
        }

        private static @Nullable HexText hash(RawJson result, NameTable member) {
            try {
                RawJson value = result.first() == '{' ? JsonObject.member(result, member) : result;
                return value == null ? null : HexText.read(value);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /**
     * Result of a node. Immutable.
     *
     * @param hash that tells it from others; null if it has none, and is told each time
     * @param text as it is told
     */
    public record Result(@Nullable HexText hash, RawJson text) {}

    /** User of the results. Confined to the event loop of the feed. */
    public interface Listener {

        /** Handles a result, as it stands in JSON; nobody modifies it. */
        void told(byte[] result);

        /** Handles that a node named blocks that are no longer canonical; nobody modifies the result. */
        default void reorganised(byte[] result) {}

        /** Handles that no node goes on. Nothing more is told to the members, which are still to leave. */
        void lost(RpcError error);

        /** Handles that a filter is polled. */
        default void polled() {}
    }

    /** Member that waits for a node. Immutable. */
    private record Joining(long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {}

    /** Attempt at one node. Immutable. */
    private record Attempt(Upstream node, boolean socket) {}

    /** @param lostNanos time without a node after which members end */
    public FailoverFeed(
            Topic topic, UpstreamPool pool, EventLoop loop, StreamTimer timer, long lostNanos, Listener listener) {
        this.topic = topic;
        this.pool = pool;
        this.loop = loop;
        this.timer = timer;
        this.lostNanos = lostNanos;
        this.listener = listener;
    }

    /**
     * Adds a member.
     *
     * @param joined receives null once a node serves it; else why none does, and the member was not added
     */
    public void join(long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
        members++;
        if (current != null && current.begun) {
            joined.accept(null);
            return;
        }
        joining.add(new Joining(deadlineNanos, joined));
        timer.after(deadlineNanos - timer.now(), this::refuseLate);
        if (!running) {
            running = true;
            int begun = ++generation;
            long probed = Math.min(deadlineNanos - timer.now(), PROBED_NANOS) + timer.now();
            pool.whenProbed(loop, probed, () -> round(begun));
        }
    }

    public void leave() {
        members--;
        stopIfUnused();
    }

    private void stopIfUnused() {
        if (members == 0) {
            stop();
        }
    }

    private void stop() {
        running = false;
        generation++;
        accepted = false;
        refusal = null;
        coming.clear();
        recent.clear();
        Run run = current;
        current = null;
        if (run != null) {
            run.close();
        }
    }

    private void refuseLate() {
        long now = timer.now();
        List<Joining> late =
                joining.stream().filter(one -> now - one.deadlineNanos() >= 0).toList();
        refuse(late, RpcReply.unavailable("no upstream accepted the subscription in time"));
    }

    private void refuse(List<Joining> refused, RpcReply.Failure failure) {
        if (refused.isEmpty()) {
            return;
        }
        joining.removeAll(refused);
        members -= refused.size();
        stopIfUnused();
        refused.forEach(one -> one.joined().accept(failure));
    }

    /** Looks at the node in use, or tries all nodes; and does so again later. */
    private void round(int begun) {
        if (begun != generation) {
            return;
        }
        Run run = current;
        if (run == null && coming.isEmpty()) {
            connect();
        } else if (run != null && run.begun) {
            run.count = 0;
            if (topic.goesOn() && !nodes().contains(run.attempt.node())) {
                failed(run, false);
            }
        }
        timer.after(ROUND_NANOS, () -> round(begun));
    }

    private void connect() {
        coming.clear();
        coming.addAll(attempts());
        next();
    }

    private void next() {
        while (current == null) {
            Attempt attempt = coming.poll();
            if (attempt == null) {
                noneLeft();
                return;
            }
            if (!pauses.holds(attempt, timer.now())) {
                begin(attempt);
            }
        }
    }

    private void begin(Attempt attempt) {
        Run run = new Run(attempt);
        current = run;
        if (attempt.socket()) {
            run.feed = pool.subscribe(attempt.node(), loop, topic.call(), run);
        } else {
            FilterFeed filter = new FilterFeed(attempt.node(), loop, timer, listener::polled, run);
            run.feed = filter;
            filter.open();
        }
        if (run.feed == null) {
            current = null;
        }
    }

    private void noneLeft() {
        RpcReply.Failure failure = failure();
        if (!accepted) {
            refuse(List.copyOf(joining), failure);
        } else if (timer.now() - sinceNanos >= lostNanos) {
            refuse(List.copyOf(joining), failure);
            stop();
            listener.lost(topic.passesErrors() ? LOST : failure.error());
        }
    }

    private RpcReply.Failure failure() {
        if (refusal != null) {
            return refusal;
        }
        boolean mayCome = pool.upstreams().stream().map(Upstream::status).anyMatch(FailoverFeed::mayBeBack)
                || attempts().stream().anyMatch(one -> pauses.holdsForNow(one, timer.now()));
        return mayCome ? RpcReply.unavailable("no upstream could be asked for the subscription") : topic.unknown();
    }

    private static boolean mayBeBack(UpstreamStatus node) {
        return node.drained() || (node.health() != Health.HEALTHY && node.health() != Health.WRONG_CHAIN);
    }

    private void failed(Run run, boolean refused) {
        current = null;
        run.close();
        pauses.failed(run.attempt, refused, timer.now());
        if (!run.begun) {
            next();
        } else if (topic.goesOn()) {
            sinceNanos = timer.now();
            connect();
        } else {
            stop();
            listener.lost(LOST);
        }
    }

    private boolean isNew(@Nullable HexText hash) {
        if (hash == null) {
            return true;
        }
        boolean added = recent.add(hash.toLong());
        if (recent.size() > topic.maxRecent()) {
            Iterator<Long> oldest = recent.iterator();
            oldest.next();
            oldest.remove();
        }
        return added;
    }

    private List<Attempt> attempts() {
        List<Attempt> all = new ArrayList<>();
        List<Upstream> tier = new ArrayList<>();
        for (Upstream node : nodes()) {
            if (!tier.isEmpty() && tier.get(0).status().tier() != node.status().tier()) {
                addPolled(tier, all);
            }
            tier.add(node);
            all.add(new Attempt(node, true));
        }
        addPolled(tier, all);
        return all;
    }

    private void addPolled(List<Upstream> tier, List<Attempt> all) {
        if (topic.isPolled()) {
            tier.forEach(node -> all.add(new Attempt(node, false)));
        }
        tier.clear();
    }

    /** Returns the healthy nodes by tier; if there are none, those that are only behind. */
    private List<Upstream> nodes() {
        List<Upstream> healthy = nodes(Set.of(Health.HEALTHY));
        return healthy.isEmpty() ? nodes(Set.of(Health.LAGGING, Health.SYNCING)) : healthy;
    }

    private List<Upstream> nodes(Set<Health> wanted) {
        return pool.upstreams().stream()
                .filter(node -> !node.status().drained()
                        && wanted.contains(node.status().health()))
                .sorted(Comparator.comparingInt(node -> node.status().tier()))
                .toList();
    }

    /** One node's subscription. Confined to the event loop of the feed. */
    private final class Run implements NodeFeed.Listener {

        private final Attempt attempt;
        private @Nullable NodeFeed feed;
        private boolean begun;
        /** Results in this round. */
        private int count;

        Run(Attempt attempt) {
            this.attempt = attempt;
        }

        void close() {
            if (feed != null) {
                feed.close();
            }
        }

        @Override
        public void began(long head) {
            if (this == current) {
                begun = true;
                accepted = true;
                refusal = null;
                coming.clear();
                List<Joining> waiting = List.copyOf(joining);
                joining.clear();
                waiting.forEach(one -> one.joined().accept(null));
            }
        }

        @Override
        public void notified(RawJson result) {
            if (this != current) {
                return;
            }
            Result read = topic.reader().apply(result);
            if (read == null || ++count > MAX_PER_ROUND) {
                failed(this, true);
            } else if (isNew(read.hash())) {
                pauses.worked(attempt);
                listener.told(read.text().toBytes());
            }
        }

        @Override
        public void reorganised(RawJson result) {
            if (this == current) {
                listener.reorganised(result.toBytes());
            }
        }

        @Override
        public void ended(NodeFeed.End end) {
            if (this == current) {
                boolean isAnswer = topic.passesErrors() && !begun && refusal == null;
                refusal = isAnswer ? end.failure() : refusal;
                failed(this, end.refused());
            }
        }
    }
}
