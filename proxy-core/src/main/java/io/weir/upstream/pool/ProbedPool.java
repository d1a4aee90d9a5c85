package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.weir.api.BlockForm;
import io.weir.api.NetworkKind;
import io.weir.chain.BlockSchedule;
import io.weir.chain.Finality;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamPool.TransactionBlock;
import io.weir.upstream.budget.NodeBudget;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.head.Follower;
import io.weir.upstream.pool.NodeFaults.ReturnDelay;
import io.weir.upstream.pool.NodeLatency.AnswerTimes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pool whose nodes are probed. {@link NodeState} is the state of each node. {@link PoolMonitor} updates it by probes,
 * {@link Node} by attempts. {@link NodeChoice} chooses. Thread-safe.
 */
public final class ProbedPool implements UpstreamPool {

    /** Shortest time between two polls of a node for its newest block: a block is seen soon, also on the fastest chains. */
    private static final long POLL_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The same if all nodes bill by the call: blocks are seen later, for fewer calls. */
    private static final long HOSTED_POLL_MIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Lead that is tolerated where nodes cannot show their blocks. */
    private static final long ANY_LAG = Long.MAX_VALUE / 2;

    /** The longest notification that is passed on, in bytes. Sockets for subscriptions accept no longer ones either. */
    private static final int MAX_NOTIFICATION = 1 << 21;

    private final LongSupplier clock;
    private final MethodCatalogue methods;
    private final HealthProbe probe;
    private final CheckedFeed.Names notificationNames;
    private final List<Node> nodes;
    private final NodeChoice choice;
    private final AnswerTimes answerTimes = new AnswerTimes();
    private final HeadTracker tracker;
    private final PoolMonitor monitor;
    private final List<Runnable> headGauges;
    private final Follower head;

    /**
     * Creates a pool. {@link #start} starts probing.
     *
     * @param clients by the ids of the network's upstreams; the pool closes them
     * @param loops the event loops of the clients; one of them becomes the monitor's
     * @param ledger counts the units of nodes with budgets
     */
    public ProbedPool(
            NetworkConfig network,
            NetworkKind kind,
            Map<String, NodeClient> clients,
            EventLoopGroup loops,
            Meters meters,
            UnitLedger ledger) {
        this(
                network,
                kind,
                clients,
                loops.next(),
                meters,
                System::nanoTime,
                () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()),
                bound -> ThreadLocalRandom.current().nextInt(bound),
                ledger);
    }

    ProbedPool(
            NetworkConfig network,
            NetworkKind kind,
            Map<String, NodeClient> clients,
            EventLoop loop,
            Meters meters,
            LongSupplier clock,
            LongSupplier wallSeconds,
            IntUnaryOperator random,
            UnitLedger ledger) {
        this.clock = clock;
        BlockForm form = kind.blockForm();
        methods = MethodCatalogue.ofKind(kind.methods(), form, kind.subscriptionForm(), false);
        BlockSchedule schedule = new BlockSchedule(
                network.isHosted() ? HOSTED_POLL_MIN_NANOS : POLL_MIN_NANOS,
                TimeUnit.MILLISECONDS.toNanos(network.blockMillis()),
                clock.getAsLong());
        tracker = new HeadTracker(TimeUnit.MILLISECONDS.toNanos(network.head().maxAgeMillis()), schedule, clock);
        nodes = nodes(network, kind, clients, meters, random, ledger);
        probe = new HealthProbe(kind, network.chainId(), clock);
        notificationNames = CheckedFeed.Names.of(kind.subscriptionForm());
        List<WatchedNode> watched = watched(network, kind, loop, random);
        choice = new NodeChoice(
                nodes,
                methods,
                network.balance().choice() == NetworkConfig.Choice.ORDER,
                () -> tracker.number() + network.health().maxLag(),
                meters.counter(Meter.PANIC_CHOICES, network.name()),
                random,
                clock);
        long tolerated = form != null ? network.health().maxLag() : ANY_LAG;
        // No depth stands for finality where a proof on another chain decides it.
        Finality finality =
                new Finality(tracker, nodes.size(), network.finalityDepth(), kind.servesEthereumMethods(), clock);
        boolean tagged = form != null && form.finalTag() != null;
        head = new Follower(
                tracker,
                finality,
                watched,
                tolerated,
                kind.servesEthereumBlocks(),
                tagged,
                loop,
                clock,
                wallSeconds,
                this::wanted,
                new EnumCounters<>(meters, Meter.HEAD_REFRESHES, RoundResult.class, network.name())::count);
        monitor = new PoolMonitor(network.health(), probe, watched, head, loop, clock);
        headGauges = List.of(
                meters.gauge(Meter.HEAD, tracker::number, network.name()),
                meters.gauge(Meter.HEAD_ANNOUNCED, () -> tracker.isAnnounced() ? 1 : 0, network.name()));
    }

    private void wanted() {
        monitor.traffic();
    }

    private List<Node> nodes(
            NetworkConfig network,
            NetworkKind kind,
            Map<String, NodeClient> clients,
            Meters meters,
            IntUnaryOperator random,
            UnitLedger ledger) {
        Node.Pool own = new NodesPool();
        return network.upstreams().values().stream()
                .map(one -> new Node(
                        own,
                        network,
                        kind,
                        one,
                        client(clients, one.id()),
                        meters,
                        NodeBudget.of(network.name(), one.id(), one.budget(), ledger, meters, clock),
                        random,
                        clock))
                .toList();
    }

    private List<WatchedNode> watched(
            NetworkConfig network, NetworkKind kind, EventLoop loop, IntUnaryOperator random) {
        BlockIds blocks = BlockIds.of(kind.blockForm());
        return nodes.stream()
                .map(node -> new WatchedNode(
                        network.name(), node, probe, blocks, new ReturnDelay(network.health(), random), loop, clock))
                .toList();
    }

    private static NodeClient client(Map<String, NodeClient> clients, String id) {
        NodeClient client = clients.get(id);
        if (client == null) {
            throw new IllegalArgumentException("clients: " + clients.keySet() + " (expected: one for " + id + ")");
        }
        return client;
    }

    @Override
    public @Nullable Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return used(choice.choose(call, tried, leastHead));
    }

    @Override
    public boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
        return choice.hasAnother(call, tried, leastHead);
    }

    @Override
    public boolean allLack(RpcCall call, long leastHead) {
        return choice.allLack(call, leastHead);
    }

    private @Nullable Choice used(@Nullable Choice chosen) {
        if (chosen == null) {
            monitor.traffic();
        } else if (chosen.upstream() instanceof Node node && node.noteCall()) {
            monitor.wake();
        }
        return chosen;
    }

    @Override
    public @Nullable Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        return choice.chooseToCheck(call, empty, tried);
    }

    @Override
    public void foundTransaction(Upstream upstream, RawJson transaction) {
        long block = TransactionBlock.NONE;
        for (Node node : nodes) {
            if (!node.transactions().isLacking()) {
                continue;
            }
            block = block == TransactionBlock.NONE ? TransactionBlock.of(transaction) : block;
            if (block == TransactionBlock.NONE) {
                return;
            }
            if (node == upstream) {
                node.transactions().found(block);
            } else {
                node.transactions().foundElsewhere(block, node.state().head());
            }
        }
    }

    @Override
    public NetworkHead head() {
        return head;
    }

    @Override
    public @Nullable Choice chooseAhead(RpcCall call, Upstream behind) {
        return choice.chooseAhead(call.method(), behind);
    }

    @Override
    public long usualNanos(LatencyClass latencyClass) {
        return answerTimes.usualNanos(latencyClass);
    }

    @Override
    public boolean usable() {
        return choice.anyHealthy() || nodes.stream().anyMatch(this::mayServe);
    }

    @Override
    public int retryAfterSeconds() {
        long least = Long.MAX_VALUE;
        for (Node node : nodes) {
            if (mayServe(node)) {
                least = Math.min(least, node.throttledNanos());
            }
        }
        if (least <= 0 || least == Long.MAX_VALUE) {
            return 0;
        }
        return (int) (TimeUnit.NANOSECONDS.toSeconds(least - 1) + 1);
    }

    @Override
    public long throttledNanos(List<Upstream> tried) {
        long least = 0;
        for (Node node : nodes) {
            long nanos = mayServe(node) && !tried.contains(node) ? node.throttledNanos() : 0;
            if (nanos > 0 && (least == 0 || nanos < least)) {
                least = nanos;
            }
        }
        return least;
    }

    /** Returns whether a node serves, or may once its rate limit or its budget allows its first probe. */
    private boolean mayServe(Node node) {
        return node.state().isInPool() || (node.state().isUnknown() && node.throttledNanos() > 0);
    }

    @Override
    public boolean probed() {
        return monitor.allSeen();
    }

    @Override
    public void whenProbed(EventLoop loop, long deadlineNanos, Runnable action) {
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, known -> action.run());
        monitor.known().thenRun(() -> waiter.end(true));
        if (!waiter.isOver()) {
            waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), false);
        }
    }

    @Override
    public MethodCatalogue methods() {
        return methods;
    }

    @Override
    public void start() {
        monitor.start();
    }

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public List<Upstream> upstreams() {
        return List.copyOf(nodes);
    }

    @Override
    public @Nullable NodeFeed subscribe(Upstream upstream, EventLoop loop, RpcCall call, NodeFeed.Listener listener) {
        if (!(upstream instanceof Node node)) {
            return null;
        }
        CheckedFeed feed =
                new CheckedFeed(node, probe, loop, clock, MAX_NOTIFICATION, notificationNames, call, listener);
        return feed.open() ? feed : null;
    }

    @Override
    public void close() {
        monitor.close();
        head.close();
        // The counters stay.
        headGauges.forEach(Runnable::run);
        nodes.forEach(Node::close);
    }

    /** This pool as its nodes see it. Thread-safe. */
    private final class NodesPool implements Node.Pool {

        @Override
        public List<Node> nodes() {
            return nodes;
        }

        @Override
        public MethodCatalogue methods() {
            return methods;
        }

        @Override
        public long newest() {
            return tracker.number();
        }

        @Override
        public AnswerTimes answerTimes() {
            return answerTimes;
        }

        @Override
        public void takenOut(Node node) {
            monitor.takenOut(node);
        }
    }
}
