package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.head.Witness;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.BlockAnswer.Kind;
import io.weir.upstream.pool.NodeFaults.ReturnDelay;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Node as its monitor sees it, with the effects of probe results on it. Confined to the monitor's event loop. */
final class WatchedNode extends Witness {

    /** Nanoseconds between two questions whether a healthy node is syncing, on a chain whose blocks come regularly. */
    private static final long SYNCING_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** The longest announcement, in bytes. A header has about 2 KB. */
    private static final int MAX_ANNOUNCEMENT_BYTES = 1 << 16;

    private static final int MAX_BLOCK_BYTES = 4 << 20;

    private final Node node;
    private final HealthProbe probe;
    private final BlockIds blocks;
    private final EventLoop loop;
    private final NodeTransitionLog log;
    private final LongSupplier clock;
    private Runnable onLoss = () -> {};
    private final ReturnDelay returnDelay;
    private boolean probing;
    private boolean seen;
    private long startedNanos;
    private long headAskedNanos;
    private long connects;
    private long checkedConnects = -1;
    private long askedConnects = -1;
    /** The connections made before the question for a block that it answers now; -1 while it answers none. */
    private long answeredConnects = -1;
    /** When it last answered with a block. */
    private long shownNanos;

    private int epoch;
    /** Whether it lagged at the end of its last round. Within a round nodes are compared with the heads that came so far. */
    private boolean lagged;
    /** Whether its head tells something while the best one is being checked, though it lags. */
    private volatile boolean witness;

    private long syncingAskedNanos;
    private @Nullable ScheduledFuture<?> next;

    WatchedNode(
            String network,
            Node node,
            HealthProbe probe,
            BlockIds blocks,
            ReturnDelay returnDelay,
            EventLoop loop,
            LongSupplier clock) {
        this.node = node;
        this.probe = probe;
        this.blocks = blocks;
        this.loop = loop;
        this.log = new NodeTransitionLog(network, node, loop, clock);
        this.clock = clock;
        this.returnDelay = returnDelay;
        this.startedNanos = clock.getAsLong();
        this.syncingAskedNanos = startedNanos - SYNCING_NANOS;
        this.shownNanos = syncingAskedNanos;
        this.headAskedNanos = startedNanos;
    }

    @Override
    public String id() {
        return node.id();
    }

    @Override
    public int tier() {
        return node.tier();
    }

    @Override
    public boolean ready() {
        NodeState now = state();
        long nanos = clock.getAsLong();
        return now.isReady(nanos) || (witness && now.health() == Health.LAGGING && now.throttledNanos(nanos) <= 0);
    }

    /** Ignores failures: probes and calls judge those. */
    @Override
    public void askHead(LongConsumer sink) {
        long deadline = clock.getAsLong() + HealthProbe.TIMEOUT_NANOS;
        probe.run(node, loop, HealthProbe.Questions.HEAD, deadline, result -> sink.accept(head(result)));
    }

    private long head(HealthProbe.Result result) {
        if (result instanceof HealthProbe.Result.Good good) {
            if (good.askedNanos() - headAskedNanos >= 0) {
                // Skipped if a later request was answered before this one.
                headAskedNanos = good.askedNanos();
                setHead(good.head());
            }
            return good.head();
        }
        if (result instanceof HealthProbe.Result.Throttled throttled) {
            throttle(throttled);
        }
        return -1;
    }

    @Override
    public long head() {
        return state().head();
    }

    @Override
    public long believed() {
        return state().heads().believed();
    }

    @Override
    public void believe(long upTo) {
        if (upTo < believed() && believed() == Long.MAX_VALUE) {
            log.distrusted();
        }
        apply(now -> now.withBelieved(upTo));
    }

    @Override
    public long headNanos() {
        return state().heads().namedNanos();
    }

    @Override
    public boolean isOutOfLine() {
        return state().isOutOfLine();
    }

    @Override
    public void outOfLine(@Nullable String reason) {
        if (apply(now -> now.withOutOfLine(reason))) {
            log.note();
        }
    }

    @Override
    public void disputed(@Nullable String reason) {
        apply(now -> now.withDispute(reason));
        log.disputed(reason);
    }

    @Override
    public void askBlock(BlockSelector block, long maxNanos, Consumer<BlockAnswer> sink) {
        long made = node.client().connects();
        askedConnects = made;
        RpcCall call = blocks.call(block);
        if (call == null) {
            answered(made, BlockAnswer.without(Kind.NONE), sink);
        } else {
            long deadline = clock.getAsLong() + Math.min(maxNanos, HealthProbe.TIMEOUT_NANOS);
            node.probe(loop, call, deadline, CallCause.FOLLOWER, outcome -> answered(made, read(outcome), sink));
        }
    }

    private void answered(long made, BlockAnswer answer, Consumer<BlockAnswer> sink) {
        answeredConnects = made;
        shownNanos = answer.kind() == Kind.SHOWN ? clock.getAsLong() : shownNanos;
        sink.accept(answer);
        answeredConnects = -1;
    }

    private BlockAnswer read(NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered)) {
            return BlockAnswer.without(Kind.FAILED);
        }
        if (!(answered.reply() instanceof RpcReply.Result result)) {
            return BlockAnswer.without(Kind.REFUSED);
        }
        if (result.value().equals(RawJson.NULL)) {
            return BlockAnswer.without(Kind.NONE);
        }
        return result.value().length() > MAX_BLOCK_BYTES
                ? BlockAnswer.without(Kind.UNREADABLE)
                : read(result.value(), AnswerKind.BLOCK);
    }

    /** Returns the answer that shows this block, or this header of one. Reads only its place in the chain. */
    private BlockAnswer read(RawJson text, AnswerKind kind) {
        if (text.first() != '{') {
            return BlockAnswer.without(Kind.UNREADABLE);
        }
        try {
            long number = blocks.height(text);
            String hash = blocks.hashIn(text);
            String parentHash = blocks.parentHashIn(text);
            long seconds = blocks.seconds(text);
            if (hash.isEmpty() && !blocks.isOfEthereum()) {
                // The block in the making.
                return BlockAnswer.without(Kind.NONE);
            }
            if (number < 0 || seconds < 0) {
                return BlockAnswer.without(Kind.UNREADABLE);
            }
            boolean named = !hash.isEmpty() && !parentHash.isEmpty();
            ShownBlock shown = named ? new ShownBlock(new BlockLink(number, hash, parentHash), text, kind) : null;
            return new BlockAnswer(Kind.SHOWN, number, hash, parentHash, seconds, shown);
        } catch (IllegalArgumentException e) {
            // Not JSON.
            return BlockAnswer.without(Kind.UNREADABLE);
        }
    }

    @Override
    public void agrees() {
        checkedConnects = Math.max(checkedConnects, answeredConnects);
    }

    @Override
    public void seen(long block) {
        long nanos = clock.getAsLong();
        apply(now -> now.raiseHead(block, nanos));
    }

    @Override
    public @Nullable NodeFeed subscribe(NodeFeed.Listener listener) {
        CheckedFeed feed = new CheckedFeed(
                node,
                probe,
                loop,
                clock,
                MAX_ANNOUNCEMENT_BYTES,
                CheckedFeed.Names.of(SubscriptionForm.ETHEREUM),
                ChainCalls.subscribeToHeads(),
                listener);
        return feed.open() ? feed : null;
    }

    @Override
    public BlockAnswer announced(RawJson header) {
        return read(header, AnswerKind.HEADER);
    }

    Node node() {
        return node;
    }

    NodeState state() {
        return node.state();
    }

    private boolean apply(UnaryOperator<NodeState> rule) {
        return node.apply(rule);
    }

    private void setHead(long head) {
        long nanos = clock.getAsLong();
        apply(now -> now.withHead(head, nanos));
    }

    private void throttle(HealthProbe.Result.Throttled throttled) {
        long nanos = clock.getAsLong();
        apply(now -> now.throttle(throttled.seconds(), nanos));
    }

    boolean probing() {
        return probing;
    }

    @Override
    public boolean isHeard() {
        return seen;
    }

    /** Returns when its last probe began, on the clock. */
    long startedNanos() {
        return startedNanos;
    }

    /** Allows probes from now on. */
    void release() {
        long now = clock.getAsLong();
        apply(last -> last.hold(now));
    }

    /** Sets the next scheduled probe; null if there is none. */
    void next(@Nullable ScheduledFuture<?> probe) {
        if (next != null) {
            next.cancel(false);
        }
        next = probe;
    }

    /**
     * Notes that a probe begins. Returns what it must ask. A healthy node that no call uses is asked for its head alone.
     *
     * @param rhythm whether blocks come regularly, so that a node's head shows in time if it falls behind
     * @param used whether calls use the node's tier
     * @param head whether to ask for its head
     */
    HealthProbe.Questions began(boolean rhythm, boolean used, boolean head) {
        next(null);
        NodeState state = state();
        if (state.health() == Health.WRONG_CHAIN) {
            // The connection that stayed open would lead to the same node again.
            node.client().reset(true);
        }
        probing = true;
        startedNanos = clock.getAsLong();
        epoch = state.epoch();
        boolean trusted = switch (state.health()) {
            case HEALTHY, LAGGING, SYNCING, OUT_OF_LINE -> true;
            case UNKNOWN, EJECTED, DOWN, WRONG_CHAIN -> false;
        };
        // Read before the chain is asked for. The next probe or poll checks a connection made in the meantime.
        long now = node.client().connects();
        boolean chain = !trusted || (used && (head ? now : askedConnects) > checkedConnects);
        connects = chain ? now : connects;
        boolean inDoubt = !rhythm || state.health() != Health.HEALTHY;
        boolean due = inDoubt || startedNanos - syncingAskedNanos >= SYNCING_NANOS;
        boolean syncing = state.health() == Health.SYNCING || !trusted || (used && due);
        if (syncing) {
            syncingAskedNanos = startedNanos;
        }
        return new HealthProbe.Questions(chain, syncing, head);
    }

    /** Returns whether its head need not be asked for: it is healthy, has shown a block within this time, and is not behind this head. */
    boolean isAnswered(long nanos, long least) {
        return state().health() == Health.HEALTHY && clock.getAsLong() - shownNanos < nanos && head() >= least;
    }

    /** Sets the action after the node of another chain ended its connection. */
    void whenLost(Runnable action) {
        onLoss = action;
    }

    void ended() {
        probing = false;
    }

    /** Notes that calls took it out. */
    void wentOut() {
        long now = clock.getAsLong();
        NodeState state = state();
        long delay = returnDelay.wentOut(now, state.standing().hasServed(), state.isEjected());
        long until = now + Math.max(delay, node.faults().distrustedNanos());
        apply(last -> last.hold(until));
        log.note();
    }

    /**
     * Applies the result of the probe that began last.
     *
     * @param healthyBeside whether another node is healthy, to which waiting calls can move
     * @return false if the result is ignored, and the node must be probed again
     */
    boolean take(HealthProbe.Result result, HeadMeasure measure, BooleanSupplier healthyBeside) {
        boolean counts;
        if (result instanceof HealthProbe.Result.Good good) {
            checkedConnects = Math.max(checkedConnects, connects);
            counts = good.head() < 0 || good(good, measure);
        } else if (result instanceof HealthProbe.Result.WrongChain wrong) {
            node.client().leave(loop, onLoss);
            counts = apply(now -> now.rejectChain(epoch, wrong.detail()));
        } else if (result instanceof HealthProbe.Result.Throttled throttled) {
            throttled(throttled);
            counts = true;
        } else {
            counts = bad((HealthProbe.Result.Bad) result, healthyBeside);
        }
        seen = true;
        log.note();
        return counts;
    }

    private boolean good(HealthProbe.Result.Good good, HeadMeasure measure) {
        long now = clock.getAsLong();
        NodeState before = state();
        if (before.epoch() == epoch && before.isTooSlow(now - good.askedNanos())) {
            apply(last -> last.hold(now + ReturnDelay.EJECTION_NANOS));
        }
        NodeState state = state();
        boolean out = state.isOut();
        if (out && state.heldNanos(now) > 0) {
            // The probe began before the node went out, or keeps the head of an ejected node.
            boolean ejected = state.isEjected() && state.epoch() == epoch;
            if (ejected) {
                setHead(good.head());
            }
            return ejected;
        }
        String lag = measure.lag(good.head(), good.askedNanos(), lagged);
        if (!apply(last -> last.applyGoodProbe(epoch, good.head(), good.syncing(), lag, now))) {
            return false;
        }
        headAskedNanos = good.askedNanos();
        if (out) {
            returnDelay.returned(now);
        }
        return true;
    }

    private void throttled(HealthProbe.Result.Throttled throttled) {
        throttle(throttled);
        NodeState state = state();
        if (state.health() == Health.UNKNOWN) {
            apply(now -> now.leaveUnprobed(epoch));
        } else if (!state.isChainKnown() || state.isOut()) {
            takeDown(NodeState.LIMITED);
        }
    }

    private boolean takeDown(String detail) {
        long nanos = clock.getAsLong();
        return node.turn(now -> now.takeDown(epoch, detail, nanos));
    }

    private boolean bad(HealthProbe.Result.Bad bad, BooleanSupplier healthyBeside) {
        Health before = state().health();
        boolean first = before == Health.UNKNOWN || before == Health.WRONG_CHAIN;
        boolean turned = takeDown(bad.detail());
        if (turned) {
            node.client().reset(healthyBeside.getAsBoolean());
        }
        return first || !turned;
    }

    /** Notes that the heads of a round are compared to the end. */
    void compared() {
        lagged = state().health() == Health.LAGGING;
    }

    /**
     * Compares the node again, after another node named its head or the round ended.
     *
     * @param open whether all have answered, and a head is being checked
     */
    void compare(HeadMeasure measure, boolean open) {
        witness = open
                && !state().isDrained()
                && measure.behindRound(state().heads().named(), headAskedNanos, lagged) == 0;
        String lag = measure.lag(state().heads().named(), headAskedNanos, lagged);
        apply(now -> now.compare(lag));
        log.note();
    }

    /**
     * Log of the changes of one node's health, one line each. If the health changes more often, the log has one line a second
     * with the state at that time. A node that stays down for another reason has a line a minute at most: after the first reason is
     * mended, the operator looks for the next. Confined to its event loop.
     */
    static final class NodeTransitionLog {

        private static final Logger LOG = LoggerFactory.getLogger(NodeTransitionLog.class);
        private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long REASON_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final String network;
        private final Node node;
        private final EventLoop loop;
        private final LongSupplier clock;
        private Health logged = Health.UNKNOWN;
        private String reason = "";
        private long loggedNanos;
        private boolean waiting;
        private boolean disputed;

        NodeTransitionLog(String network, Node node, EventLoop loop, LongSupplier clock) {
            this.network = network;
            this.node = node;
            this.loop = loop;
            this.clock = clock;
            this.loggedNanos = clock.getAsLong() - PAUSE_NANOS;
        }

        /** Notes that the health, or the reason for it, may have changed. */
        void note() {
            NodeState state = node.state();
            long since = clock.getAsLong() - loggedNanos;
            if (waiting || state.health() == logged) {
                if (logged == Health.DOWN
                        && since >= REASON_PAUSE_NANOS
                        && !state.detail().equals(reason)) {
                    log();
                }
                return;
            }
            long early = PAUSE_NANOS - since;
            if (early <= 0) {
                log();
            } else {
                waiting = true;
                loop.schedule(
                        () -> {
                            waiting = false;
                            note();
                        },
                        early,
                        TimeUnit.NANOSECONDS);
            }
        }

        /**
         * Notes what other nodes contradict, though it costs no calls. Disputes begin rarely, so each one has its line.
         *
         * @param reason null if they do not
         */
        void disputed(@Nullable String reason) {
            if (reason != null && !disputed) {
                LOG.warn("upstream {} of network {} {}", node.id(), network, reason);
            }
            disputed = reason != null;
        }

        /** Notes that the node left a block that no other node had. Such nodes are distrusted for minutes, so each time has its line. */
        void distrusted() {
            LOG.warn(
                    "upstream {} of network {} named a block that no other node had, and left it; its next heads count once another node names them",
                    node.id(),
                    network);
        }

        private void log() {
            NodeState state = node.state();
            logged = state.health();
            reason = state.detail();
            loggedNanos = clock.getAsLong();
            if (logged == Health.HEALTHY) {
                LOG.info("upstream {} of network {} is healthy", node.id(), network);
            } else {
                LOG.warn(
                        "upstream {} of network {} is out ({}): {}",
                        node.id(),
                        network,
                        logged.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        state.detail());
            }
        }
    }
}
