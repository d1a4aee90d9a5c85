package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.config.NetworkConfig.HealthConfig;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Probes the nodes of a pool. Confined to one event loop, but for {@link #traffic}, {@link #takenOut}, {@link #start} and
 * {@link #close}, which are thread-safe.
 *
 * <ul>
 *   <li>Nodes that can be reached are polled together, in rounds: each {@code interval} while there is traffic, each {@code
 *       idle-interval} while there is none; the first call after an idle time starts a round, and does not wait for it.
 *   <li>A node that turns down is probed at once, over a fresh connection, and then each {@code down-interval}; one on another
 *       chain each {@code idle-interval}. One that is rate limited is left alone until it may be asked.
 *   <li>The chain is asked for at first, after a node was out, and whenever it was connected to anew.
 *   <li>A node lags when its head is too far behind the best one named in the same round. One that comes back between rounds
 *       is held against the best of the last round, and changes nothing for the others.
 * </ul>
 */
final class PoolMonitor {

    /** What the monitor knows of a node beside its health. */
    private static final class Watched {
        final PooledUpstream node;
        final StateLog log;
        boolean probing;
        boolean seen;
        long startedNanos;
        long checkedConnects = -1;
        int round;

        @Nullable
        ScheduledFuture<?> next;

        Watched(PooledUpstream node, StateLog log) {
            this.node = node;
            this.log = log;
        }
    }

    private final HealthConfig config;
    private final HealthProbe probe;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final List<Watched> nodes = new ArrayList<>();
    private final CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
    private final AtomicBoolean idle = new AtomicBoolean();
    private volatile boolean traffic;
    private volatile boolean closed;
    private volatile boolean allSeen;
    private int round;
    private long best = -1;
    private @Nullable ScheduledFuture<?> nextRound;

    /**
     * Watches nodes.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    PoolMonitor(
            String network,
            HealthConfig config,
            HealthProbe probe,
            List<PooledUpstream> upstreams,
            EventLoop loop,
            LongSupplier clock) {
        this.config = config;
        this.probe = probe;
        this.loop = loop;
        this.clock = clock;
        upstreams.forEach(node -> nodes.add(new Watched(node, new StateLog(network, node, loop, clock))));
    }

    /** Whether each node's first probe has ended. */
    boolean allSeen() {
        return allSeen;
    }

    /** Completes when a node is healthy or each one's first probe has ended, or at the end of the monitor. */
    CompletableFuture<@Nullable Void> known() {
        return known;
    }

    void start() {
        loop.execute(this::beginRound);
    }

    /** Notes that a call wants a node. */
    void traffic() {
        if (!traffic) {
            traffic = true;
        }
        if (idle.get() && idle.compareAndSet(true, false)) {
            execute(this::beginRound);
        }
    }

    /** Lets go of the connections of a node that an attempt took out, and has it probed at once. */
    void takenOut(PooledUpstream node) {
        node.client().reset(healthyBeside(node));
        execute(() -> {
            Watched watched =
                    nodes.stream().filter(one -> one.node == node).findFirst().orElseThrow();
            watched.log.note();
            if (!watched.probing) {
                begin(watched, 0);
            }
        });
    }

    /** Ends probing. */
    void close() {
        closed = true;
        known.complete(null);
        execute(() -> {
            cancel(nextRound);
            nodes.forEach(watched -> cancel(watched.next));
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
        traffic = false;
        cancel(nextRound);
        round++;
        best = -1;
        nodes.stream().filter(this::inRounds).forEach(watched -> begin(watched, round));
        nextRound = loop.schedule(this::roundDue, config.intervalMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean inRounds(Watched watched) {
        NodeHealth health = watched.node.health();
        boolean reachable = switch (health.health()) {
            case HEALTHY, LAGGING, SYNCING -> true;
            case UNKNOWN -> round == 1;
            case DOWN, WRONG_CHAIN -> false;
        };
        return reachable && !watched.probing && health.throttledNanos() <= 0;
    }

    private void roundDue() {
        if (traffic) {
            beginRound();
            return;
        }
        idle.set(true);
        // A call that came just now may have seen no idleness yet.
        if (traffic && idle.compareAndSet(true, false)) {
            beginRound();
            return;
        }
        long rest = Math.max(0, config.idleIntervalMillis() - config.intervalMillis());
        nextRound = loop.schedule(this::idleRoundDue, rest, TimeUnit.MILLISECONDS);
    }

    private void idleRoundDue() {
        idle.set(false);
        beginRound();
    }

    /**
     * Begins a probe.
     *
     * @param inRound the round that it belongs to, or 0
     */
    private void begin(Watched watched, int inRound) {
        if (closed) {
            return;
        }
        cancel(watched.next);
        watched.next = null;
        watched.probing = true;
        watched.round = inRound;
        watched.startedNanos = clock.getAsLong();
        NodeHealth health = watched.node.health();
        int epoch = health.epoch();
        boolean trusted = switch (health.health()) {
            case HEALTHY, LAGGING, SYNCING -> true;
            case UNKNOWN, DOWN, WRONG_CHAIN -> false;
        };
        // Read before the chain is asked for: a connection made meanwhile is checked with the next probe.
        long connects = watched.node.client().connects();
        boolean withChain = !trusted || connects != watched.checkedConnects;
        long deadline = watched.startedNanos + TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis());
        probe.run(watched.node, loop, withChain, deadline, result -> {
            if (result instanceof HealthProbe.Result.Good) {
                watched.checkedConnects = connects;
            }
            end(watched, epoch, result);
        });
    }

    private void end(Watched watched, int epoch, HealthProbe.Result result) {
        watched.probing = false;
        if (closed) {
            return;
        }
        boolean again = !take(watched, epoch, result);
        watched.seen = true;
        allSeen = allSeen || nodes.stream().allMatch(one -> one.seen);
        if (allSeen || watched.node.health().health() == Health.HEALTHY) {
            known.complete(null);
        }
        watched.log.note();
        if (again) {
            begin(watched, 0);
        } else {
            scheduleNext(watched);
        }
    }

    /** Returns false where the node is to be probed again at once. */
    private boolean take(Watched watched, int epoch, HealthProbe.Result result) {
        NodeHealth health = watched.node.health();
        if (result instanceof HealthProbe.Result.Good good) {
            return good(watched, epoch, good);
        }
        if (result instanceof HealthProbe.Result.WrongChain wrong) {
            watched.node.client().reset(true);
            return health.wrongChain(epoch, wrong.detail());
        }
        if (result instanceof HealthProbe.Result.Throttled throttled) {
            health.throttle(throttled.seconds());
            boolean asked = health.chainKnown() && health.health() != Health.DOWN;
            if (!asked) {
                health.down(epoch, "is rate limited");
            }
            return true;
        }
        boolean first = health.health() == Health.UNKNOWN || health.health() == Health.WRONG_CHAIN;
        boolean turned = health.down(epoch, ((HealthProbe.Result.Bad) result).detail());
        if (turned) {
            watched.node.client().reset(healthyBeside(watched.node));
        }
        return first || !turned;
    }

    private boolean good(Watched watched, int epoch, HealthProbe.Result.Good good) {
        boolean inRound = watched.round == round && !good.syncing();
        if (inRound) {
            best = Math.max(best, good.head());
        }
        if (!watched.node.health().good(epoch, good.head(), good.syncing(), lag(good.head()))) {
            return false;
        }
        if (inRound) {
            nodes.stream()
                    .filter(one -> one.round == round && !one.probing && one != watched)
                    .forEach(one -> {
                        one.node.health().compared(lag(one.node.health().head()));
                        one.log.note();
                    });
        }
        return true;
    }

    private @Nullable String lag(long head) {
        long behind = best - head;
        return behind > config.maxLag() ? "is " + behind + " blocks behind" : null;
    }

    private void scheduleNext(Watched watched) {
        NodeHealth health = watched.node.health();
        long rest = switch (health.health()) {
            case DOWN -> config.downIntervalMillis();
            case WRONG_CHAIN -> config.idleIntervalMillis();
            case UNKNOWN, HEALTHY, LAGGING, SYNCING -> -1;
        };
        if (rest < 0) {
            return;
        }
        long since = clock.getAsLong() - watched.startedNanos;
        long delay = Math.max(TimeUnit.MILLISECONDS.toNanos(rest) - since, health.throttledNanos());
        watched.next = loop.schedule(() -> begin(watched, 0), Math.max(0, delay), TimeUnit.NANOSECONDS);
    }

    private boolean healthyBeside(PooledUpstream node) {
        return nodes.stream()
                .anyMatch(one -> one.node != node && one.node.health().health() == Health.HEALTHY);
    }

    private static void cancel(@Nullable ScheduledFuture<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }
}
