package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.Verdict;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.pool.HealthProbe.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes for their heads when a call needs a fresher one than is known. Thread-safe: whatever is not said to be is
 * confined to the monitor's event loop.
 *
 * <ul>
 *   <li>All nodes of the lowest tier are asked at once; those of other tiers too, once the lowest one alone speaks of a lower
 *       head than the known one.
 *   <li>Where only time has passed, the first node that confirms the head is enough. Where something happened, such as a write,
 *       all are waited for. A node that takes long delays nobody by more than {@link #PATIENCE_MILLIS} while another one has
 *       answered; what it says later still counts.
 *   <li>Where something happened and all speak of a lower head, they are asked a second time at once.
 * </ul>
 */
final class HeadRefresh implements NetworkHead {

    /** How long a round waits for other nodes once one has answered. */
    static final long PATIENCE_MILLIS = 250;

    /** Rounds one after the other before those who wait get what is known. */
    private static final int MOST_ROUNDS = 4;

    /** Answers that one node may owe, so that a node that hangs does not gather questions. */
    private static final int MOST_OWED = 2;

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final HealthProbe probe;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final Consumer<Verdict> verdicts;
    private final Map<String, PooledUpstream> nodes = new HashMap<>();
    private final Map<PooledUpstream, Integer> owed = new HashMap<>();
    private @Nullable Poll current;
    private boolean allTiers;

    /**
     * Asks these nodes.
     *
     * @param timeoutMillis of one question
     * @param verdicts hears what each round came to
     */
    HeadRefresh(
            HeadFeed feed,
            HealthProbe probe,
            List<PooledUpstream> nodes,
            ProbedPool.Setting setting,
            long timeoutMillis,
            Consumer<Verdict> verdicts) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.probe = probe;
        this.monitorLoop = setting.loop();
        this.clock = setting.clock();
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.verdicts = verdicts;
        nodes.forEach(node -> this.nodes.put(node.id(), node));
    }

    @Override
    public HeadTracker tracker() {
        return tracker;
    }

    /** Thread-safe. */
    @Override
    public void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        if (tracker.fresh()) {
            sink.accept(tracker.number());
            return;
        }
        HeadWaiter waiter = new HeadWaiter(loop, sink);
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong());
        if (monitorLoop.inEventLoop()) {
            join(waiter);
        } else {
            monitorLoop.execute(() -> join(waiter));
        }
    }

    /** Thread-safe. */
    @Override
    public void seen(String upstreamId, long number) {
        PooledUpstream node = nodes.get(upstreamId);
        if (node != null && number > node.health().head()) {
            node.health().seen(number);
        }
        tracker.raise(number);
    }

    private void join(HeadWaiter waiter) {
        if (tracker.fresh()) {
            waiter.end(tracker.number());
        } else if (current != null && tracker.covers(current.round.round())) {
            current.waiters.add(waiter);
        } else {
            List<HeadWaiter> waiters = new ArrayList<>();
            waiters.add(waiter);
            begin(waiters, 1);
        }
    }

    private void begin(List<HeadWaiter> waiters, int number) {
        List<PooledUpstream> asked = (allTiers ? feed.ready() : feed.preferred())
                .stream().filter(node -> owed.getOrDefault(node, 0) < MOST_OWED).toList();
        Poll poll = new Poll(waiters, number, asked.size());
        current = poll;
        if (asked.isEmpty()) {
            poll.release();
            return;
        }
        poll.patience = monitorLoop.schedule(poll::patienceEnded, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        long deadline = clock.getAsLong() + timeoutNanos;
        for (PooledUpstream node : asked) {
            owed.merge(node, 1, Integer::sum);
            probe.runHead(node, monitorLoop, deadline, result -> poll.took(node, result));
        }
    }

    /** One round of questions. */
    private final class Poll {

        private final HeadFeed.Round round = feed.begin();
        private final List<HeadWaiter> waiters;
        private final int number;
        private int open;
        private boolean late;
        private boolean released;
        private @Nullable ScheduledFuture<?> patience;

        Poll(List<HeadWaiter> waiters, int number, int open) {
            this.waiters = waiters;
            this.number = number;
            this.open = open;
        }

        void took(PooledUpstream node, Result result) {
            owed.merge(node, -1, Integer::sum);
            open--;
            if (result instanceof Result.Good good) {
                node.health().named(good.head());
                feed.named(round, node, good.head());
            } else if (result instanceof Result.Throttled throttled) {
                node.health().throttle(throttled.seconds());
            }
            // What else may have gone wrong is for probes and calls to judge.
            if (open == 0) {
                end();
            } else if (round.heard() && (late || (!round.round().urgent() && tracker.fresh()))) {
                release();
            }
        }

        void patienceEnded() {
            late = true;
            if (round.heard()) {
                release();
            }
        }

        private void end() {
            Verdict verdict = feed.end(round);
            verdicts.accept(verdict);
            boolean open = round.heard() && round.round().urgent() && !released && number < MOST_ROUNDS;
            if (verdict == Verdict.UNKNOWN && round.heard() && !allTiers) {
                allTiers = true;
            } else if (verdict == Verdict.CONFIRMED || verdict == Verdict.WENT_BACK) {
                allTiers = false;
                open = false;
            } else {
                open &= verdict == Verdict.DOUBTED;
            }
            if (open) {
                released = true;
                cancelPatience();
                begin(waiters, number + 1);
            } else {
                release();
            }
        }

        void release() {
            if (released) {
                return;
            }
            released = true;
            cancelPatience();
            if (current == this) {
                current = null;
            }
            long head = round.heard() ? tracker.number() : -1;
            waiters.forEach(waiter -> waiter.end(head));
            waiters.clear();
        }

        private void cancelPatience() {
            if (patience != null) {
                patience.cancel(false);
            }
        }
    }
}
