package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.config.NetworkConfig.HealthConfig;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.head.Claims;
import io.weir.upstream.head.Follower;
import io.weir.upstream.head.Round;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a pool's probes, and comparison of the nodes' heads. {@link WatchedNode} applies a result to its node.
 * Confined to one event loop, except for {@link #traffic}, {@link #wake}, {@link #takenOut}, {@link #start} and {@link
 * #close}, which are thread-safe.
 *
 * <ul>
 *   <li>Reachable nodes are polled together, in rounds: each {@code interval} or each few blocks while there is traffic, each idle
 *       interval while there is none. The first call after an idle time starts a round and does not wait for it.
 *       Nodes of a tier that no call uses are asked once in the idle interval.
 *   <li>A round that is due does not ask healthy nodes for their heads that have just shown a block to a poll and are not behind.
 *   <li>A node that goes down is probed at once over a fresh connection, then each down interval. So is a node on another chain, and also
 *       when it ends its connection: the right one may come back behind its address. A rate-limited node is not probed until its limit ends.
 *   <li>The chain is checked in the first probe, after a node was out, and, once calls use it, after each new connection. It need not be if
 *       the node has shown a block since whose parent another node named too.
 *   <li>A node that calls take out again soon after it came back is probed later each time; see {@link ReturnDelay}.
 *   <li>A node lags if its head is too far behind the heads of the same moment; see {@link HeadMeasure}. It stays out while a higher head is
 *       being checked. A node that comes back between rounds changes nothing for the others. If it lags and no node is healthy, a round begins.
 * </ul>
 */
final class PoolMonitor {

    /** Block times between two rounds, if these are longer than the interval. */
    private static final int ROUND_BLOCKS = 5;

    /** Block times for which a round does not ask a node for its head after it has answered a poll. */
    private static final int ANSWERED_BLOCKS = 2;

    /** Time between the probes of a node of another chain whose connection is lost again and again. */
    private static final long LOSS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final HealthConfig config;
    private final HealthProbe probe;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final List<WatchedNode> nodes;
    private final Follower follower;
    private final HeadMeasure measure;
    private final ProbeRound round;
    private final CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
    private final AtomicBoolean idle = new AtomicBoolean();
    private volatile boolean traffic;
    private volatile boolean closed;
    private volatile boolean allSeen;
    private @Nullable ScheduledFuture<?> nextRound;

    /** @param follower receives the heads that the nodes name */
    PoolMonitor(
            HealthConfig config,
            HealthProbe probe,
            List<WatchedNode> nodes,
            Follower follower,
            EventLoop loop,
            LongSupplier clock) {
        this.config = config;
        this.probe = probe;
        this.loop = loop;
        this.clock = clock;
        this.nodes = nodes;
        this.follower = follower;
        this.measure = new HeadMeasure(
                config.maxLag(), () -> follower.tracker().known().confirmed());
        this.round = new ProbeRound();
        nodes.forEach(watched -> watched.whenLost(() -> lost(watched)));
    }

    boolean allSeen() {
        return allSeen;
    }

    /** Completes when a node is healthy, when each node's first probe has ended, or when the monitor closes. */
    CompletableFuture<@Nullable Void> known() {
        return known;
    }

    void start() {
        loop.execute(() -> beginRound(false));
    }

    /** Notes that a call needs the head, or a node and got none. */
    void traffic() {
        if (!traffic) {
            traffic = true;
        }
        if (idle.get() && idle.compareAndSet(true, false)) {
            execute(() -> beginRound(false));
        }
    }

    /** Begins a round, because a call goes to a node that was not in use. */
    void wake() {
        idle.set(false);
        execute(() -> beginRound(false));
    }

    /** Abandons the connections of a node that an attempt took out, and starts a probe of it at once. */
    void takenOut(Node node) {
        node.client().reset(healthyBeside(node));
        execute(() -> {
            WatchedNode watched =
                    nodes.stream().filter(one -> one.node() == node).findFirst().orElseThrow();
            watched.wentOut();
            if (!watched.probing()) {
                beginUnlessHeld(watched);
            }
            letHeldReturn();
        });
    }

    void close() {
        closed = true;
        known.complete(null);
        execute(() -> {
            cancel(nextRound);
            nodes.forEach(watched -> watched.next(null));
        });
    }

    private void execute(Runnable task) {
        if (!loop.isShuttingDown()) {
            loop.execute(task);
        }
    }

    /** @param regular whether only time has passed, so that the answers to polls are enough */
    private void beginRound(boolean regular) {
        if (closed) {
            return;
        }
        boolean busy = traffic || isCalled();
        traffic = false;
        boolean first = nextRound == null;
        cancel(nextRound);
        boolean open = round.leavesHeadOpen();
        List<WatchedNode> asked = members(first, open);
        List<WatchedNode> answered = asked.stream()
                .filter(one -> regular && !open && isAnswered(one))
                .toList();
        if (!asked.isEmpty() || round.waiting.isEmpty()) {
            round.begin(asked, answered);
        }
        asked.forEach(member -> begin(member, busy && member.node().isTierInUse(), !answered.contains(member)));
        asked.forEach(member -> member.node().transactions().recheck(loop));
        nextRound = loop.schedule(this::roundDue, roundMillis(), TimeUnit.MILLISECONDS);
        if (!busy && !first) {
            // It asked for the heads alone. The next call causes a round with all questions.
            rest();
        }
    }

    /** Returns the time between rounds while there is traffic. Polls for new blocks show in between that nodes are there. */
    private long roundMillis() {
        long blocks =
                ROUND_BLOCKS * TimeUnit.NANOSECONDS.toMillis(follower.tracker().blockNanos());
        return Math.max(config.intervalMillis(), Math.min(blocks, config.idleIntervalMillis()));
    }

    private void roundDue() {
        if (traffic || isCalled()) {
            beginRound(true);
            return;
        }
        rest();
        // A call that arrived just now may not have seen the idle state yet.
        if ((traffic || isCalled()) && idle.compareAndSet(true, false)) {
            beginRound(false);
            return;
        }
        long rest = Math.max(0, config.idleIntervalMillis() - roundMillis());
        nextRound = loop.schedule(() -> beginRound(false), rest, TimeUnit.MILLISECONDS);
    }

    private void rest() {
        nodes.forEach(one -> one.node().setTierInUse(false));
        idle.set(true);
    }

    private void begin(WatchedNode watched, boolean used, boolean head) {
        if (closed) {
            return;
        }
        HealthProbe.Questions questions = watched.began(follower.tracker().blockNanos() > 0, used, head);
        long deadline = watched.startedNanos() + watched.node().probeNanos();
        probe.run(watched.node(), loop, questions, deadline, result -> end(watched, result));
    }

    private void end(WatchedNode watched, HealthProbe.Result result) {
        watched.ended();
        if (closed) {
            return;
        }
        boolean inRound = round.ended(watched, result);
        boolean counts = watched.take(result, measure, () -> healthyBeside(watched.node()));
        if (inRound) {
            round.compare();
        }
        if (counts) {
            round.feed(watched, result, inRound);
        }
        allSeen = allSeen || nodes.stream().allMatch(WatchedNode::isHeard);
        Health health = watched.state().health();
        if (allSeen || health == Health.HEALTHY) {
            known.complete(null);
        }
        if (counts) {
            scheduleNext(watched);
        } else {
            beginUnlessHeld(watched);
        }
        letHeldReturn();
        if (!inRound && round.waiting.isEmpty() && health == Health.LAGGING && !healthyBeside(watched.node())) {
            // Perhaps the chain was rolled back: only a round can show that.
            execute(() -> beginRound(false));
        }
    }

    private void scheduleNext(WatchedNode watched) {
        NodeState state = watched.state();
        long rest = switch (state.health()) {
            case DOWN, UNKNOWN, WRONG_CHAIN -> config.downIntervalMillis();
            case EJECTED -> 0;
            case HEALTHY, LAGGING, SYNCING, OUT_OF_LINE -> -1;
        };
        if (rest < 0) {
            return;
        }
        long now = clock.getAsLong();
        long left = TimeUnit.MILLISECONDS.toNanos(rest) - (now - watched.startedNanos());
        long delay = Math.max(Math.max(left, state.throttledNanos(now)), state.heldNanos(now));
        watched.next(loop.schedule(() -> begin(watched, true, true), Math.max(0, delay), TimeUnit.NANOSECONDS));
    }

    private void lost(WatchedNode watched) {
        if (!watched.probing() && watched.state().health() == Health.WRONG_CHAIN) {
            long left = LOSS_NANOS - (clock.getAsLong() - watched.startedNanos());
            watched.next(loop.schedule(() -> begin(watched, true, true), Math.max(0, left), TimeUnit.NANOSECONDS));
        }
    }

    private void beginUnlessHeld(WatchedNode watched) {
        long held = watched.state().heldNanos(clock.getAsLong());
        if (held > 0) {
            watched.next(loop.schedule(() -> begin(watched, true, true), held, TimeUnit.NANOSECONDS));
        } else {
            begin(watched, true, true);
        }
    }

    /** Allows probes of all held nodes if no node is healthy, because calls then go to unhealthy nodes anyway. */
    private void letHeldReturn() {
        if (nodes.stream().anyMatch(one -> one.state().isInPool())) {
            return;
        }
        for (WatchedNode watched : nodes) {
            if (watched.state().heldNanos(clock.getAsLong()) > 0) {
                watched.release();
                if (!watched.probing()) {
                    begin(watched, true, true);
                }
            }
        }
    }

    private boolean healthyBeside(Node node) {
        return nodes.stream().anyMatch(one -> one.node() != node && one.state().isInPool());
    }

    private static void cancel(@Nullable ScheduledFuture<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    /** Returns whether a node got a call since the last round began. */
    private boolean isCalled() {
        return nodes.stream().anyMatch(one -> one.node().isCalled());
    }

    /**
     * Returns the nodes that a new round asks: those of the tiers in use, and the others once in the idle interval. The lowest tier with a
     * node that may get calls is in use, and so are tiers whose nodes got calls since the last round.
     *
     * @param allTiers whether the tiers in use leave the head open: they name a lower one than the known, or none for too long
     */
    private List<WatchedNode> members(boolean first, boolean allTiers) {
        Set<Integer> inUse = tiersInUse();
        long now = clock.getAsLong();
        List<WatchedNode> members = new ArrayList<>();
        for (WatchedNode one : nodes) {
            boolean used = inUse.isEmpty() || inUse.contains(one.tier());
            boolean due = used
                    || allTiers
                    || now - one.startedNanos() >= TimeUnit.MILLISECONDS.toNanos(config.idleIntervalMillis());
            one.node().setTierInUse(used);
            if (due && isReachable(one, first) && !one.probing()) {
                members.add(one);
            }
        }
        return members;
    }

    /** Returns whether a node has just told the follower what a round would ask. */
    private boolean isAnswered(WatchedNode watched) {
        HeadTracker head = follower.tracker();
        return watched.isAnswered(ANSWERED_BLOCKS * head.blockNanos(), head.number() - config.maxLag());
    }

    private Set<Integer> tiersInUse() {
        Set<Integer> tiers = new HashSet<>();
        int lowest = Integer.MAX_VALUE;
        for (WatchedNode one : nodes) {
            if (one.ready()) {
                lowest = Math.min(lowest, one.tier());
            }
            if (one.node().takeCalled()) {
                tiers.add(one.tier());
            }
        }
        if (lowest < Integer.MAX_VALUE) {
            tiers.add(lowest);
        }
        return tiers;
    }

    private boolean isReachable(WatchedNode one, boolean first) {
        boolean reachable = switch (one.state().health()) {
            case HEALTHY, LAGGING, SYNCING, OUT_OF_LINE, EJECTED -> true;
            case UNKNOWN -> first;
            case DOWN, WRONG_CHAIN -> false;
        };
        return reachable && one.state().throttledNanos(clock.getAsLong()) <= 0;
    }

    /**
     * Current round of a pool's probes: the nodes that are asked together, and the comparison of their heads. Nodes are compared
     * only with heads that count; see {@link Claims}. Confined to the monitor's event loop.
     */
    private final class ProbeRound {

        private List<WatchedNode> members = List.of();
        /** Members that have not answered yet. */
        private final Set<WatchedNode> waiting = new HashSet<>();
        /** Heads of members that did not count when they were named. */
        private final Map<WatchedNode, HeadMeasure.Sample> unconfirmed = new HashMap<>();
        /** Heads that the members name. */
        private Round round = follower.begin();
        /** Whether polls told the head of a node that it would have asked. */
        private boolean isPolled;
        /** Whether the last round has not settled the head. */
        private boolean unsettled;

        /** Begins a new round; called before the first member is asked. Nodes that have answered polls are no members. */
        void begin(List<WatchedNode> asked, List<WatchedNode> answered) {
            members = asked.stream().filter(one -> !answered.contains(one)).toList();
            waiting.clear();
            waiting.addAll(members);
            unconfirmed.clear();
            measure.beginRound();
            isPolled = !answered.isEmpty();
            answered.forEach(one -> measure.named(new HeadMeasure.Sample(one.head(), one.headNanos())));
            round = follower.begin();
        }

        /**
         * Returns whether the nodes asked last leave the head open: they named a lower one than the known, or none for more blocks
         * than a node may be behind.
         */
        boolean leavesHeadOpen() {
            return unsettled || follower.tracker().isOverdue(config.maxLag() + 1);
        }

        /** Notes the result of a probe. Returns whether the node is a member that had not answered yet. */
        boolean ended(WatchedNode watched, HealthProbe.Result result) {
            if (!waiting.remove(watched)) {
                return false;
            }
            long now = clock.getAsLong();
            if (!(result instanceof HealthProbe.Result.Good good)) {
                measure.missed();
            } else if (!good.syncing()) {
                unconfirmed.put(watched, new HeadMeasure.Sample(good.head(), now));
                takeConfirmed();
            }
            if (waiting.isEmpty() && unconfirmed.isEmpty()) {
                endMeasure();
            }
            return true;
        }

        private void takeConfirmed() {
            unconfirmed.entrySet().removeIf(one -> {
                boolean counts =
                        follower.claims().counts(one.getKey(), one.getValue().head());
                if (counts) {
                    measure.named(one.getValue());
                }
                return counts;
            });
        }

        private void endMeasure() {
            long others = nodes.stream()
                    .filter(one -> !members.contains(one) && one.state().isComparable())
                    .mapToLong(one -> one.state().head())
                    .max()
                    .orElse(-1);
            measure.endRound(others, clock.getAsLong());
        }

        /** Compares the members that have answered with each other. */
        void compare() {
            takeConfirmed();
            compare(waiting.isEmpty() && !unconfirmed.isEmpty());
        }

        private void compare(boolean open) {
            members.stream().filter(one -> !waiting.contains(one)).forEach(one -> one.compare(measure, open));
        }

        /**
         * Forwards the head that a node named.
         *
         * @param inRound whether the node answered as a member of this round
         */
        void feed(WatchedNode watched, HealthProbe.Result result, boolean inRound) {
            if (result instanceof HealthProbe.Result.Good good && good.head() >= 0) {
                if (inRound) {
                    round.named(watched, good.head());
                } else {
                    follower.claims().returned(watched, good.head());
                }
            }
            if (inRound && waiting.isEmpty()) {
                Round ending = round;
                ending.end(end -> {
                    if (ending == round) {
                        // A node that has just shown its head to a poll leaves nothing open.
                        unsettled = (end == RoundResult.UNKNOWN || end == RoundResult.DOUBTED) && !isPolled;
                        // A head that was checked may be the best one: until then the one before it stays.
                        takeConfirmed();
                        endMeasure();
                        compare(false);
                        members.forEach(WatchedNode::compared);
                    }
                });
            }
        }
    }
}
