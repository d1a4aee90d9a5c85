package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.Verdict;
import io.weir.upstream.NetworkHead;
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
public final class HeadRefresh implements NetworkHead {

    /** How long a round waits for other nodes once one has answered. */
    static final long PATIENCE_MILLIS = 250;

    /** Rounds one after the other before those who wait get what is known. */
    private static final int MAX_ROUNDS = 4;

    /** Answers that one node may owe, so that a node that hangs does not gather questions. */
    private static final int MAX_OWED = 2;

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final Runnable traffic;
    private final Consumer<Verdict> verdicts;
    private final Map<String, HeadNode> nodes = new HashMap<>();
    private final Map<HeadNode, Integer> owed = new HashMap<>();
    /** Those who need a newer question than is under way, while every node owes too many answers. */
    private final List<HeadWaiter> queued = new ArrayList<>();

    private @Nullable Poll current;
    private boolean allTiers;

    /**
     * Asks these nodes.
     *
     * @param monitorLoop the loop that nodes are asked on
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param traffic hears of each call that wants the head
     * @param verdicts hears what each round came to
     */
    public HeadRefresh(
            HeadFeed feed,
            List<? extends HeadNode> nodes,
            EventLoop monitorLoop,
            LongSupplier clock,
            Runnable traffic,
            Consumer<Verdict> verdicts) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.monitorLoop = monitorLoop;
        this.clock = clock;
        this.traffic = traffic;
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
        traffic.run();
        if (tracker.fresh()) {
            sink.accept(tracker.number());
            return;
        }
        HeadWaiter waiter = new HeadWaiter(loop, sink);
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong());
        if (monitorLoop.inEventLoop()) {
            join(waiter);
        } else if (monitorLoop.isShuttingDown()) {
            waiter.end(-1);
        } else {
            monitorLoop.execute(() -> join(waiter));
        }
    }

    /** Thread-safe. */
    @Override
    public void seen(String upstreamId, long number) {
        HeadNode node = nodes.get(upstreamId);
        if (node != null) {
            node.seen(number);
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
        List<HeadNode> nodes = allTiers ? feed.ready() : feed.preferred();
        List<HeadNode> asked = nodes.stream()
                .filter(node -> owed.getOrDefault(node, 0) < MAX_OWED)
                .toList();
        if (asked.isEmpty() && !nodes.isEmpty()) {
            queued.addAll(waiters);
            return;
        }
        Poll poll = new Poll(waiters, number, asked.size());
        current = poll;
        if (asked.isEmpty()) {
            poll.release();
            return;
        }
        poll.patience = monitorLoop.schedule(poll::patienceEnded, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        for (HeadNode node : asked) {
            owed.merge(node, 1, Integer::sum);
            node.askHead(head -> {
                poll.took(node, head);
                beginQueued();
            });
        }
    }

    private void beginQueued() {
        if (!queued.isEmpty()) {
            List<HeadWaiter> waiters = new ArrayList<>(queued);
            queued.clear();
            begin(waiters, 1);
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

        void took(HeadNode node, long head) {
            owed.merge(node, -1, Integer::sum);
            open--;
            if (head >= 0) {
                feed.named(round, node, head);
            }
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
            boolean settled = verdict == Verdict.CONFIRMED || verdict == Verdict.WENT_BACK;
            // A lower head alone, or a tier that does not answer: the others must be heard.
            boolean wider = verdict == Verdict.UNKNOWN && !allTiers;
            allTiers = !settled && (allTiers || wider);
            boolean again = wider || verdict == Verdict.DOUBTED;
            if (again && round.heard() && round.round().urgent() && !released && number < MAX_ROUNDS) {
                released = true;
                cancelPatience();
                HeadRefresh.this.begin(waiters, number + 1);
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
