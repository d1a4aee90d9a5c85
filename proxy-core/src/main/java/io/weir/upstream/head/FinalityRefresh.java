package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalityAgreement;
import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.chain.FinalityDisputes;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkFinality;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Asks two nodes for the block with a tag when a call needs it, and the others if nothing is agreed then. The nodes take turns,
 * so a node with a false word delays agreement but does not prevent it. Confined to the monitor's event loop, except for
 * methods marked as thread-safe.
 */
public final class FinalityRefresh implements NetworkFinality {

    /** Nanoseconds for which an agreed block is used before nodes are asked again. */
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Nanoseconds until nodes are asked again that did not answer, or did not agree. */
    static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Least time for which honest nodes may differ, because each learns of finality by itself. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Nanoseconds between two questions to a node of a tier that no call uses. */
    static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Number of nodes that are asked. */
    private static final int ASKED = 2;

    private final FinalityAgreement agreement;
    private final long maxLag;
    private final HeadTracker tracker;
    private final List<? extends HeadNode> nodes;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final Map<BlockTag, Poll> polls = new EnumMap<>(BlockTag.class);
    /** Until when nodes are not asked again, by tag. */
    private final Map<BlockTag, Long> untilNanos = new ConcurrentHashMap<>();

    /** When each node was last asked, by tag. */
    private final Map<BlockTag, Map<HeadNode, Long>> askedNanos = new EnumMap<>(BlockTag.class);

    private final Map<BlockTag, FinalityDisputes> disputes = new EnumMap<>(BlockTag.class);

    /** Why nodes are disputed, by id and tag. */
    private final Map<String, Map<BlockTag, String>> reasons = new HashMap<>();

    private int turn;
    /** Whether a node that could be asked was left out, so that the words of the others say nothing of it. */
    private boolean resting;

    /**
     * Creates a refresh over these nodes.
     *
     * @param maxLag blocks by which an honest node may be behind
     * @param monitorLoop the loop on which nodes are asked
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public FinalityRefresh(
            FinalityAgreement agreement,
            long maxLag,
            HeadTracker tracker,
            List<? extends HeadNode> nodes,
            EventLoop monitorLoop,
            LongSupplier clock) {
        this.agreement = agreement;
        this.maxLag = maxLag;
        this.tracker = tracker;
        this.nodes = nodes;
        this.monitorLoop = monitorLoop;
        this.clock = clock;
        for (BlockTag tag : BlockTag.values()) {
            disputes.put(tag, new FinalityDisputes(tag));
        }
        tracker.listen(new HeadListener() {
            @Override
            public void wentBack(long from, long to) {
                agreement.wentBack(to);
                untilNanos.clear();
                disputes.values().forEach(FinalityDisputes::clear);
            }
        });
    }

    /** Thread-safe. */
    @Override
    public void whenKnown(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
        if (isRecent(tag)) {
            sink.accept(agreement.agreed(tag));
            return;
        }
        LoopWaiter<Long> waiter = new LoopWaiter<>(loop, number -> sink.accept(agreement.agreed(tag)));
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), -1L);
        if (monitorLoop.isShuttingDown()) {
            waiter.end(-1L);
        } else {
            monitorLoop.execute(() -> ask(tag, waiter));
        }
    }

    /** Thread-safe. */
    @Override
    public void used(BlockTag tag, long number) {
        agreement.used(tag, number);
    }

    private boolean isRecent(BlockTag tag) {
        Long nanos = untilNanos.get(tag);
        return nanos != null && clock.getAsLong() - nanos < 0;
    }

    private void ask(BlockTag tag, LoopWaiter<Long> waiter) {
        if (isRecent(tag)) {
            waiter.end(0L);
            return;
        }
        Poll poll = polls.get(tag);
        if (poll == null) {
            poll = new Poll(tag);
            polls.put(tag, poll);
            poll.waiters.add(waiter);
            poll.begin();
        } else {
            poll.waiters.add(waiter);
        }
    }

    /**
     * Returns the nodes to ask: others than the last time, if there are more.
     *
     * @param before nodes that were asked already
     */
    private List<HeadNode> chosen(BlockTag tag, Set<HeadNode> before) {
        Map<HeadNode, Long> askedNanos = this.askedNanos.computeIfAbsent(tag, none -> new HashMap<>());
        boolean known = agreement.agreed(tag).isKnown();
        int lowest = nodes.stream()
                .filter(HeadNode::ready)
                .mapToInt(HeadNode::tier)
                .min()
                .orElse(0);
        long now = clock.getAsLong();
        resting = false;
        List<HeadNode> ready = new ArrayList<>();
        for (int i = 0; i < nodes.size() && ready.size() < ASKED; i++) {
            HeadNode node = nodes.get((turn + i) % nodes.size());
            Long asked = askedNanos.get(node);
            boolean recent = asked != null && now - asked < UNUSED_NANOS;
            boolean rests = known && node.tier() > lowest && recent && !before.contains(node);
            resting |= node.ready() && rests;
            if (node.ready() && !rests && !before.contains(node)) {
                ready.add(node);
                askedNanos.put(node, now);
            }
        }
        return ready;
    }

    private FinalityDisputes disputes(BlockTag tag) {
        return Objects.requireNonNull(disputes.get(tag));
    }

    /** Tells nodes whether others contradict them. */
    private void compare(BlockTag tag) {
        long patience = Math.max(PATIENCE_NANOS, maxLag * tracker.blockNanos());
        Map<String, String> judged = disputes(tag).judged(tracker.number(), clock.getAsLong(), patience);
        for (HeadNode node : nodes) {
            Map<BlockTag, String> own = reasons.computeIfAbsent(node.id(), none -> new EnumMap<>(BlockTag.class));
            String reason = judged.get(node.id());
            if (reason == null) {
                own.remove(tag);
            } else {
                own.put(tag, reason);
            }
            node.disputed(own.isEmpty() ? null : String.join("; ", own.values()));
        }
    }

    /** Request in progress for the block with a tag. Confined to the monitor's event loop. */
    private final class Poll {

        private final BlockTag tag;
        private final List<LoopWaiter<Long>> waiters = new ArrayList<>();
        private final Set<HeadNode> asked = new HashSet<>();
        private int open;
        private int answered;

        Poll(BlockTag tag) {
            this.tag = tag;
        }

        void begin() {
            monitorLoop.schedule(this::patienceEnded, Questions.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            ask(chosen(tag, asked));
            turn = (turn + 1) % nodes.size();
        }

        private void ask(List<HeadNode> chosen) {
            asked.addAll(chosen);
            open = chosen.size() + 1;
            BlockSelector block = new BlockSelector.Tag(tag);
            chosen.forEach(node -> node.askBlock(block, answer -> took(node, answer)));
            ended();
        }

        private void took(HeadNode node, BlockAnswer answer) {
            if (answer.kind() == BlockAnswer.Kind.SHOWN) {
                agreement.named(tag, node.id(), answer.number(), answer.hash());
                disputes(tag).answered(node.id(), answer.number(), clock.getAsLong());
                answered++;
            } else if (answer.isLack()) {
                agreement.lacks(tag, node.id());
                disputes(tag).answered(node.id(), -1, clock.getAsLong());
                answered++;
            }
            ended();
        }

        private void ended() {
            open--;
            if (open > 0) {
                return;
            }
            List<HeadNode> others = agreement.agreed(tag).isKnown() ? List.of() : chosen(tag, asked);
            if (others.isEmpty()) {
                end();
            } else {
                ask(others);
            }
        }

        private void end() {
            polls.remove(tag);
            if (answered > 0 && answered == asked.size() && !resting) {
                // The other nodes lack the tag, or only one node can be asked.
                agreement.alone(tag, tracker.number());
            }
            boolean known = answered > 0 && agreement.agreed(tag).isKnown();
            untilNanos.put(tag, clock.getAsLong() + (known ? MAX_AGE_NANOS : RETRY_NANOS));
            release();
            compare(tag);
        }

        /** A slow node does not delay calls while a block is known. */
        private void patienceEnded() {
            if (agreement.agreed(tag).isKnown()) {
                release();
            }
        }

        private void release() {
            waiters.forEach(waiter -> waiter.end(0L));
            waiters.clear();
        }
    }
}
