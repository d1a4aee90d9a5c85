package io.weir.subscription.node;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Backoff;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import io.weir.subscription.chain.StreamTimer;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pending transactions of a network, from one node at a time, while there are subscriptions. Confined to its event loop.
 *
 * <ul>
 *   <li>The first node that accepts a subscription over its WebSocket is used; in each tier such nodes come before those whose
 *       filter is polled. Whole transactions come over a WebSocket only.
 *   <li>Another node takes its place if the connection ends, or if the node leaves the pool. A hash that was told lately is not
 *       told again.
 *   <li>If no node takes its place in time, the subscriptions end.
 * </ul>
 */
public final class PendingFeed {

    private static final String UNKNOWN =
            "no \"newPendingTransactions\" subscription in eth namespace: no upstream offers ";

    /** Time between two rounds over all nodes, and between two looks at the node in use. */
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Transactions that a node may tell in one round. No chain has as many. */
    static final int MAX_PER_ROUND = 100_000;

    private final boolean whole;
    private final UpstreamPool pool;
    private final EventLoop loop;
    private final StreamTimer timer;
    private final Setting setting;
    private final Listener listener;
    private final RecentHashes recent;
    private final PendingAttempts attempts = new PendingAttempts();
    private final List<Joining> joining = new ArrayList<>();
    private @Nullable Run current;
    private int subscriptions;
    private int generation;
    /** Whether subscriptions were accepted, which go on when their node is lost. */
    private boolean accepted;

    private long lostNanos;

    /**
     * Settings of a feed. Immutable.
     *
     * @param pollNanos time between two polls of a filter
     * @param lostNanos time without a node after which subscriptions end
     * @param recent number of hashes that are not told again
     */
    public record Setting(long pollNanos, long lostNanos, int recent) {}

    /** User of the pending transactions. Confined to the event loop of the feed. */
    public interface Listener {

        /** Handles a hash, or a whole transaction, as it stands in JSON. */
        void told(byte[] transaction);

        /** Handles that no node is left. The subscriptions end. */
        void lost(RpcError error);

        /** Handles that a filter is polled. */
        void polled();
    }

    /** Subscription that waits for a node. Immutable. */
    private record Joining(long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {}

    /** @param whole whether whole transactions are wanted, or only their hashes */
    public PendingFeed(
            boolean whole, UpstreamPool pool, EventLoop loop, StreamTimer timer, Setting setting, Listener listener) {
        this.whole = whole;
        this.pool = pool;
        this.loop = loop;
        this.timer = timer;
        this.setting = setting;
        this.listener = listener;
        this.recent = new RecentHashes(setting.recent());
    }

    /**
     * Adds a subscription.
     *
     * @param joined receives null once a node serves it; else why none does, and the subscription was not added
     */
    public void join(long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
        subscriptions++;
        if (current != null && current.begun) {
            joined.accept(null);
            return;
        }
        joining.add(new Joining(deadlineNanos, joined));
        timer.after(deadlineNanos - timer.now(), this::refuseLate);
        if (subscriptions == 1) {
            int begun = ++generation;
            pool.whenProbed(loop, deadlineNanos, () -> round(begun));
        }
    }

    /** Removes a subscription that was added. */
    public void leave() {
        subscriptions--;
        endIfUnused();
    }

    private void endIfUnused() {
        if (subscriptions == 0) {
            generation++;
            accepted = false;
            attempts.clear();
            recent.clear();
            Run run = current;
            current = null;
            if (run != null && run.feed != null) {
                run.feed.close();
            }
        }
    }

    private void refuseLate() {
        long now = timer.now();
        List<Joining> late =
                joining.stream().filter(one -> now - one.deadlineNanos() >= 0).toList();
        refuse(late, RpcReply.unavailable("no upstream gave pending transactions in time"));
    }

    private void refuse(List<Joining> refused, RpcReply.Failure failure) {
        joining.removeAll(refused);
        subscriptions -= refused.size();
        refused.forEach(one -> one.joined().accept(failure));
        endIfUnused();
    }

    /** Looks at the node in use, or tries all nodes; and does so again later. */
    private void round(int begun) {
        if (begun != generation) {
            return;
        }
        Run run = current;
        if (run == null && attempts.isEmpty()) {
            connect();
        } else if (run != null && run.begun) {
            run.count = 0;
            if (!NodeList.of(pool).contains(run.attempt.node())) {
                failed(run, false);
            }
        }
        timer.after(ROUND_NANOS, () -> round(begun));
    }

    private void connect() {
        attempts.restart();
        next();
    }

    private void next() {
        while (current == null) {
            PendingAttempts.Attempt attempt = attempts.next();
            if (attempt == null) {
                noneLeft();
                return;
            }
            begin(attempt);
        }
    }

    private void begin(PendingAttempts.Attempt attempt) {
        Run run = new Run(attempt);
        current = run;
        if (attempt.socket()) {
            run.feed = pool.subscribe(attempt.node(), loop, ChainCalls.subscribeToPending(whole), run);
        } else {
            FilterFeed filter = new FilterFeed(attempt.node(), loop, timer, setting.pollNanos(), listener::polled, run);
            run.feed = filter;
            filter.open();
        }
        if (run.feed == null) {
            current = null;
        }
    }

    private void noneLeft() {
        String wanted = whole ? "whole transactions over a WebSocket" : "it";
        RpcReply.Failure failure = attempts.mayCome()
                ? RpcReply.unavailable("no upstream gives pending transactions now")
                : RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error(UNKNOWN + wanted));
        if (!accepted) {
            refuse(List.copyOf(joining), failure);
        } else if (timer.now() - lostNanos >= setting.lostNanos()) {
            lostNanos = timer.now();
            refuse(List.copyOf(joining), failure);
            listener.lost(failure.error());
        }
    }

    private void failed(Run run, boolean refused) {
        current = null;
        if (run.feed != null) {
            run.feed.close();
        }
        attempts.failed(run.attempt, refused);
        if (run.begun) {
            lostNanos = timer.now();
            connect();
        } else {
            next();
        }
    }

    /** One node's subscription. Confined to the event loop of the feed. */
    private final class Run implements NodeFeed.Listener {

        private final PendingAttempts.Attempt attempt;
        private @Nullable NodeFeed feed;
        private boolean begun;
        private int count;

        Run(PendingAttempts.Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void began(long head) {
            if (this == current) {
                begun = true;
                accepted = true;
                attempts.clear();
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
            HexText hash = PendingHash.of(result, whole);
            if (hash == null || ++count > MAX_PER_ROUND) {
                failed(this, true);
            } else if (recent.add(hash)) {
                attempts.worked(attempt);
                listener.told(whole ? result.toBytes() : hash.bytes().toBytes());
            }
        }

        @Override
        public void ended(NodeFeed.End end) {
            if (this == current) {
                failed(this, end.refused());
            }
        }
    }

    /** Reader of the hashes of pending transactions, as nodes tell them. Pure. */
    private static final class PendingHash {

        private static final NameTable HASH = NameTable.of(Set.of("hash"));
        private static final int DIGITS = 64;

        private PendingHash() {}

        /**
         * Reads a transaction; null if it is none.
         *
         * @param whole whether a hash alone is none
         */
        static @Nullable HexText of(RawJson transaction, boolean whole) {
            if (transaction.first() == '{') {
                RawJson member = member(transaction);
                return member == null ? null : text(member);
            }
            return whole ? null : text(transaction);
        }

        private static @Nullable RawJson member(RawJson object) {
            try {
                return JsonObject.member(object, HASH);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        private static @Nullable HexText text(RawJson value) {
            HexText text = HexText.read(value);
            return text != null && text.digits() == DIGITS ? text : null;
        }
    }

    /**
     * Attempts to get pending transactions from the nodes of a pool, in their order, and the pauses of those that failed. In each tier
     * subscriptions over a WebSocket come before filters that are polled. Confined to one event loop.
     */
    private final class PendingAttempts {

        /** First pause of an attempt that failed. */
        private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

        private static final int MAX_DOUBLINGS = 6;

        /** Pause of an attempt that was refused. */
        private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final Backoff<Attempt> pauses = new Backoff<>(PAUSE_NANOS, MAX_DOUBLINGS, REFUSED_NANOS);
        private final Queue<Attempt> coming = new ArrayDeque<>();

        /** Attempt at one node. Immutable. */
        record Attempt(Upstream node, boolean socket) {}

        /** Begins a round over all nodes. */
        void restart() {
            coming.clear();
            coming.addAll(all());
        }

        /** Returns the next attempt of the round; null if none is left. */
        @Nullable
        Attempt next() {
            Attempt attempt = coming.poll();
            while (attempt != null && pauses.holds(attempt, timer.now())) {
                attempt = coming.poll();
            }
            return attempt;
        }

        /** Returns whether no attempt of the round is left. */
        boolean isEmpty() {
            return coming.isEmpty();
        }

        /** Ends the round. */
        void clear() {
            coming.clear();
        }

        /** Notes that an attempt failed. */
        void failed(Attempt attempt, boolean refused) {
            pauses.failed(attempt, refused, timer.now());
        }

        /** Notes that an attempt succeeded. */
        void worked(Attempt attempt) {
            pauses.worked(attempt);
        }

        /** Returns whether a later round may succeed, because a node is missing or an attempt only failed for now. */
        boolean mayCome() {
            return NodeList.lacksSome(pool) || all().stream().anyMatch(one -> pauses.holdsForNow(one, timer.now()));
        }

        private List<Attempt> all() {
            List<Upstream> nodes = NodeList.of(pool);
            List<Attempt> all = new ArrayList<>();
            for (int i = 0; i < nodes.size(); ) {
                int tier = nodes.get(i).status().tier();
                List<Upstream> same = nodes.stream()
                        .filter(node -> node.status().tier() == tier)
                        .toList();
                same.forEach(node -> all.add(new Attempt(node, true)));
                // Whole transactions come over a WebSocket only.
                if (!whole) {
                    same.forEach(node -> all.add(new Attempt(node, false)));
                }
                i += same.size();
            }
            return all;
        }
    }
}
