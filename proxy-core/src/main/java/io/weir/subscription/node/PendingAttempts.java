package io.weir.subscription.node;

import io.weir.limit.Backoff;
import io.weir.subscription.chain.StreamTimer;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to get pending transactions from the nodes of a pool, in their order, and the pauses of those that failed. In each tier
 * subscriptions over a WebSocket come before filters that are polled. Confined to one event loop.
 */
final class PendingAttempts {

    /** First pause of an attempt that failed. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_DOUBLINGS = 6;

    /** Pause of an attempt that was refused. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final boolean whole;
    private final UpstreamPool pool;
    private final StreamTimer timer;
    private final Backoff<Attempt> pauses = new Backoff<>(PAUSE_NANOS, MAX_DOUBLINGS, REFUSED_NANOS);
    private final Queue<Attempt> coming = new ArrayDeque<>();

    /** Attempt at one node. Immutable. */
    record Attempt(Upstream node, boolean socket) {}

    /** @param whole whether whole transactions are wanted, which come over a WebSocket only */
    PendingAttempts(boolean whole, UpstreamPool pool, StreamTimer timer) {
        this.whole = whole;
        this.pool = pool;
        this.timer = timer;
    }

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
            List<Upstream> same =
                    nodes.stream().filter(node -> node.status().tier() == tier).toList();
            same.forEach(node -> all.add(new Attempt(node, true)));
            if (!whole) {
                same.forEach(node -> all.add(new Attempt(node, false)));
            }
            i += same.size();
        }
        return all;
    }
}
