package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
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
 *       Nodes of a tier that no call uses are asked once in the idle interval; see {@link RoundMembers}.
 *   <li>A node that goes down is probed at once over a fresh connection, then each down interval. So is a node on another chain, and also
 *       when it ends its connection: the right one may come back behind its address. A rate-limited node is not probed until its limit ends.
 *   <li>The chain is checked in the first probe, after a node was out, and, once calls use it, after each new connection.
 *   <li>A node that calls take out again soon after it came back is probed later each time; see {@link ReturnDelay}.
 *   <li>A node lags if its head is too far behind the heads of the same moment; see {@link HeadMeasure}. It stays out while a higher head is
 *       being checked. A node that comes back between rounds changes nothing for the others. If it lags and no node is healthy, a round begins.
 * </ul>
 */
final class PoolMonitor {

    /** Block times between two rounds, if these are longer than the interval. */
    private static final int ROUND_BLOCKS = 5;

    /** Time between the probes of a node of another chain whose connection is lost again and again. */
    private static final long LOSS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final HealthConfig config;
    private final HealthProbe probe;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final List<WatchedNode> nodes;
    private final ProbeRound round;
    private final RoundMembers members = new RoundMembers();
    private final CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
    private final AtomicBoolean idle = new AtomicBoolean();
    private volatile boolean traffic;
    private volatile boolean closed;
    private volatile boolean allSeen;
    private @Nullable ScheduledFuture<?> nextRound;

    /**
     * @param follower receives the heads that the nodes name
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
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
        HeadMeasure measure = new HeadMeasure(
                config.maxLag(), () -> follower.tracker().known().confirmed());
        this.round = new ProbeRound(measure, follower, nodes, clock);
        nodes.forEach(watched -> watched.whenLost(() -> lost(watched)));
    }

    /** Returns whether each node's first probe has ended. */
    boolean allSeen() {
        return allSeen;
    }

    /** Completes when a node is healthy, when each node's first probe has ended, or when the monitor closes. */
    CompletableFuture<@Nullable Void> known() {
        return known;
    }

    void start() {
        loop.execute(this::beginRound);
    }

    /** Notes that a call needs the head, or a node and got none. */
    void traffic() {
        if (!traffic) {
            traffic = true;
        }
        if (idle.get() && idle.compareAndSet(true, false)) {
            execute(this::beginRound);
        }
    }

    /** Begins a round, because a call goes to a node that was not in use. */
    void wake() {
        idle.set(false);
        execute(this::beginRound);
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

    /** Stops probing. */
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

    private void beginRound() {
        if (closed) {
            return;
        }
        boolean busy = traffic || members.isCalled();
        traffic = false;
        cancel(nextRound);
        boolean first = !round.hasMembers() && !allSeen;
        List<WatchedNode> asked = members.next(first, round.leavesHeadOpen(config.maxLag()));
        if (!asked.isEmpty() || round.isComplete()) {
            round.begin(asked);
        }
        asked.forEach(member -> begin(member, busy && member.node().isTierInUse()));
        asked.forEach(member -> member.node().transactions().recheck(loop));
        nextRound = loop.schedule(this::roundDue, roundMillis(), TimeUnit.MILLISECONDS);
        if (!busy && !first) {
            // It asked for the heads alone. The next call causes a round with all questions.
            rest();
        }
    }

    /** Returns the time between rounds while there is traffic. Polls for new blocks show in between that nodes are there. */
    private long roundMillis() {
        long blocks = ROUND_BLOCKS * TimeUnit.NANOSECONDS.toMillis(round.blockNanos());
        return Math.max(config.intervalMillis(), Math.min(blocks, config.idleIntervalMillis()));
    }

    private void roundDue() {
        if (traffic || members.isCalled()) {
            beginRound();
            return;
        }
        rest();
        // A call that arrived just now may not have seen the idle state yet.
        if ((traffic || members.isCalled()) && idle.compareAndSet(true, false)) {
            beginRound();
            return;
        }
        long rest = Math.max(0, config.idleIntervalMillis() - roundMillis());
        nextRound = loop.schedule(this::beginRound, rest, TimeUnit.MILLISECONDS);
    }

    private void rest() {
        members.rest();
        idle.set(true);
    }

    private void begin(WatchedNode watched) {
        begin(watched, true);
    }

    private void begin(WatchedNode watched, boolean used) {
        if (closed) {
            return;
        }
        HealthProbe.Questions questions = watched.began(round.blockNanos() > 0, used);
        long deadline = watched.startedNanos() + watched.node().probeNanos();
        probe.run(watched.node(), loop, questions, deadline, result -> end(watched, result));
    }

    private void end(WatchedNode watched, HealthProbe.Result result) {
        watched.ended();
        if (closed) {
            return;
        }
        boolean inRound = round.ended(watched, result);
        boolean counts = watched.take(result, round.measure(), () -> healthyBeside(watched.node()));
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
        if (!inRound && round.isComplete() && health == Health.LAGGING && !healthyBeside(watched.node())) {
            // Perhaps the chain was rolled back: only a round can show that.
            execute(this::beginRound);
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
        watched.next(loop.schedule(() -> begin(watched), Math.max(0, delay), TimeUnit.NANOSECONDS));
    }

    private void lost(WatchedNode watched) {
        if (!watched.probing() && watched.state().health() == Health.WRONG_CHAIN) {
            long left = LOSS_NANOS - (clock.getAsLong() - watched.startedNanos());
            watched.next(loop.schedule(() -> begin(watched), Math.max(0, left), TimeUnit.NANOSECONDS));
        }
    }

    private void beginUnlessHeld(WatchedNode watched) {
        long held = watched.state().heldNanos(clock.getAsLong());
        if (held > 0) {
            watched.next(loop.schedule(() -> begin(watched), held, TimeUnit.NANOSECONDS));
        } else {
            begin(watched);
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
                    begin(watched);
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

    /**
     * Choice of the nodes that a round of probes asks. Each round asks the nodes of the tiers in use, and the others once in the idle
     * interval. Confined to the monitor's event loop.
     *
     * <p>The lowest tier with a node that may get calls is in use, and so are tiers whose nodes got calls since the last round. All
     * tiers are asked if those in use leave the head open: if they name a lower one than the known, or none for too long.
     */
    private final class RoundMembers {

        /** Returns whether a node got a call since the last round began. */
        boolean isCalled() {
            return nodes.stream().anyMatch(one -> one.node().isCalled());
        }

        /** Lets the next call of any node begin a round. */
        void rest() {
            nodes.forEach(one -> one.node().setTierInUse(false));
        }

        /**
         * Begins a round.
         *
         * @param first whether it is the first one
         * @param allTiers whether the tiers in use leave the head open
         */
        List<WatchedNode> next(boolean first, boolean allTiers) {
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
    }

    /**
     * Current round of a pool's probes: the nodes that are asked together, and the comparison of their heads. Nodes are compared
     * only with heads that count; see {@link Claims}. Confined to the monitor's event loop.
     */
    static final class ProbeRound {

        private final HeadMeasure measure;
        private final Follower follower;
        private final List<WatchedNode> nodes;
        private final LongSupplier clock;
        private List<WatchedNode> members = List.of();
        /** Members that have not answered yet. */
        private final Set<WatchedNode> waiting = new HashSet<>();
        /** Heads of members that did not count when they were named. */
        private final Map<WatchedNode, HeadMeasure.Sample> unconfirmed = new HashMap<>();
        /** Heads that the members name. */
        private Round round;
        /** Whether the last round has not settled the head. */
        private boolean unsettled;

        /**
         * @param follower receives the heads that the nodes name
         * @param nodes the pool's nodes
         * @param clock nanoseconds, as {@link System#nanoTime}
         */
        ProbeRound(HeadMeasure measure, Follower follower, List<WatchedNode> nodes, LongSupplier clock) {
            this.measure = measure;
            this.follower = follower;
            this.nodes = nodes;
            this.clock = clock;
            this.round = follower.begin();
        }

        /** Begins a new round; called before the first member is asked. */
        void begin(List<WatchedNode> asked) {
            members = asked;
            waiting.clear();
            waiting.addAll(asked);
            unconfirmed.clear();
            measure.beginRound();
            round = follower.begin();
        }

        /** Returns the time between the chain's blocks in nanoseconds; 0 if it is not known. */
        long blockNanos() {
            return follower.tracker().blockNanos();
        }

        /**
         * Returns whether the nodes asked last leave the head open: they named a lower one than the known, or none for more blocks
         * than a node may be behind.
         */
        boolean leavesHeadOpen(long maxLag) {
            return unsettled || follower.tracker().isOverdue(maxLag + 1);
        }

        HeadMeasure measure() {
            return measure;
        }

        /** Returns whether a round was begun. */
        boolean hasMembers() {
            return !members.isEmpty();
        }

        /** Returns whether all members have answered. */
        boolean isComplete() {
            return waiting.isEmpty();
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
            if (result instanceof HealthProbe.Result.Good good) {
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
                        unsettled = end == RoundResult.UNKNOWN || end == RoundResult.DOUBTED;
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
