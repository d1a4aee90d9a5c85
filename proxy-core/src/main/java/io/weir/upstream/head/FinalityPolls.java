package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.Finality;
import io.weir.chain.Finality.Agreed;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.head.Witness.BlockAnswer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Asks two nodes for the block with a tag when a call or a result needs it, and the others if nothing is agreed then. The nodes
 * take turns, so a node with a false word delays agreement but does not prevent it. {@link Finality} takes their words. Confined to
 * the monitor's event loop, except for methods marked as thread-safe.
 */
final class FinalityPolls {

    /** Nanoseconds for which an agreed block is used in calls before nodes are asked again. */
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Nanoseconds until nodes are asked again for a call that did not answer, or did not agree. */
    static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Least time for which honest nodes may differ, because each learns of finality by itself. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Nanoseconds between two questions to a node of a tier that no call uses. */
    static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int ASKED = 2;
    private final Finality finality;
    private final long maxLag;
    private final HeadTracker tracker;
    private final List<Witness> nodes;
    private final Questions questions;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final Map<BlockTag, Poll> polls = new EnumMap<>(BlockTag.class);
    private final Map<BlockTag, Ended> ended = new ConcurrentHashMap<>();
    /** When each node was last asked, by tag. */
    private final Map<BlockTag, Map<Witness, Long>> askedNanos = new EnumMap<>(BlockTag.class);

    /** Why nodes are disputed, by id and tag. */
    private final Map<String, Map<BlockTag, String>> reasons = new HashMap<>();

    private int turn;
    /** Whether a node that could be asked was left out, so that the words of the others say nothing of it. */
    private boolean resting;

    /** @param ofResults whether the head was fresh, so that words about blocks near it count for results */
    private record Ended(long nanos, boolean known, boolean ofResults) {}

    /**
     * Creates polls of these nodes.
     *
     * @param maxLag blocks by which an honest node may be behind
     * @param nodes none if the network's kind has no such tag
     */
    FinalityPolls(
            Finality finality,
            long maxLag,
            HeadTracker tracker,
            List<Witness> nodes,
            Questions questions,
            EventLoop monitorLoop,
            LongSupplier clock) {
        this.finality = finality;
        this.maxLag = maxLag;
        this.tracker = tracker;
        this.nodes = nodes;
        this.questions = questions;
        this.monitorLoop = monitorLoop;
        this.clock = clock;
        tracker.listen(new HeadListener() {
            @Override
            public void wentBack(long from, long to) {
                ended.clear();
            }
        });
    }

    /** Delivers the agreed block for a call; see {@link io.weir.upstream.NetworkHead#whenAgreed}. Thread-safe. */
    void whenAgreed(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
        Ended last = ended.get(tag);
        long age = last != null && last.known() ? MAX_AGE_NANOS : RETRY_NANOS;
        whenAsked(loop, tag, age, false, deadlineNanos, asked -> sink.accept(finality.agreed(tag)));
    }

    /**
     * Asks nodes unless they were asked lately enough. Thread-safe.
     *
     * @param ofResults whether a result depends on the answers, for which the head is fresh
     * @param sink receives whether nodes were asked because of this call
     */
    void whenAsked(
            EventLoop loop,
            BlockTag tag,
            long maxAgeNanos,
            boolean ofResults,
            long deadlineNanos,
            Consumer<Boolean> sink) {
        if (isRecent(tag, maxAgeNanos, ofResults)) {
            sink.accept(false);
            return;
        }
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, sink);
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), false);
        if (monitorLoop.isShuttingDown()) {
            waiter.end(false);
        } else {
            monitorLoop.execute(() -> ask(tag, maxAgeNanos, ofResults, waiter));
        }
    }

    /** Returns whether nodes were asked lately enough, or have no such tag. Thread-safe. */
    boolean isRecent(BlockTag tag, long maxAgeNanos, boolean ofResults) {
        Ended last = ended.get(tag);
        return nodes.isEmpty()
                || (last != null && (last.ofResults() || !ofResults) && clock.getAsLong() - last.nanos() < maxAgeNanos);
    }

    private void ask(BlockTag tag, long maxAgeNanos, boolean ofResults, LoopWaiter<Boolean> waiter) {
        Poll running = polls.get(tag);
        if (running != null) {
            running.waiters.add(waiter);
        } else if (isRecent(tag, maxAgeNanos, ofResults)) {
            waiter.end(false);
        } else {
            Poll poll = new Poll(tag, ofResults || tracker.fresh());
            polls.put(tag, poll);
            poll.waiters.add(waiter);
            poll.begin();
        }
    }

    /**
     * Returns the nodes to ask: others than the last time, if there are more.
     *
     * @param before nodes that were asked already
     */
    private List<Witness> chosen(BlockTag tag, Set<Witness> before) {
        Map<Witness, Long> askedNanos = this.askedNanos.computeIfAbsent(tag, none -> new HashMap<>());
        boolean known = finality.agreed(tag).isKnown();
        int lowest = nodes.stream()
                .filter(Witness::ready)
                .mapToInt(Witness::tier)
                .min()
                .orElse(0);
        long now = clock.getAsLong();
        resting = false;
        List<Witness> ready = new ArrayList<>();
        for (int i = 0; i < nodes.size() && ready.size() < ASKED; i++) {
            Witness node = nodes.get((turn + i) % nodes.size());
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

    /** Tells nodes whether others contradict them. */
    private void compare(BlockTag tag) {
        long patience = Math.max(PATIENCE_NANOS, maxLag * tracker.blockNanos());
        Map<String, String> disputed = finality.compare(tag, patience);
        for (Witness node : nodes) {
            Map<BlockTag, String> own = reasons.computeIfAbsent(node.id(), none -> new EnumMap<>(BlockTag.class));
            String reason = disputed.get(node.id());
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
        private final boolean ofResults;
        private final long head = tracker.number();
        private final List<LoopWaiter<Boolean>> waiters = new ArrayList<>();
        private final Set<Witness> asked = new HashSet<>();
        private int open;
        private int answered;
        private boolean told;

        Poll(BlockTag tag, boolean ofResults) {
            this.tag = tag;
            this.ofResults = ofResults;
        }

        void begin() {
            monitorLoop.schedule(this::patienceEnded, Questions.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            ask(chosen(tag, asked));
            turn = (turn + 1) % nodes.size();
        }

        private void ask(List<Witness> chosen) {
            asked.addAll(chosen);
            open = chosen.size() + 1;
            BlockSelector block = new BlockSelector.Tag(tag);
            chosen.forEach(node -> questions.block(node, block, answer -> took(node, answer)));
            ended();
        }

        private void took(Witness node, BlockAnswer answer) {
            if (answer.kind() == BlockAnswer.Kind.SHOWN) {
                ShownBlock shown = answer.block();
                boolean proven = finality.proves(shown == null ? null : shown.text());
                finality.named(tag, node.id(), answer.number(), proven ? answer.hash() : "", head);
                answered++;
            } else if (answer.isLack()) {
                finality.lacks(tag, node.id());
                answered++;
            }
            ended();
        }

        private void ended() {
            if (--open > 0) {
                return;
            }
            List<Witness> others = finality.agreed(tag).isKnown() ? List.of() : chosen(tag, asked);
            if (others.isEmpty()) {
                end();
            } else {
                ask(others);
            }
        }

        private void end() {
            polls.remove(tag);
            // If all have answered, the other nodes lack the tag, or only one node can be asked.
            finality.conclude(tag, head, answered > 0 && answered == asked.size() && !resting, ofResults);
            boolean known = answered > 0 && finality.agreed(tag).isKnown();
            ended.put(tag, new Ended(clock.getAsLong(), known, ofResults));
            release();
            compare(tag);
        }

        /** A slow node does not delay calls while a block is known. */
        private void patienceEnded() {
            if (polls.get(tag) == this && finality.agreed(tag).isKnown()) {
                finality.conclude(tag, head, false, ofResults);
                release();
            }
        }

        private void release() {
            for (LoopWaiter<Boolean> waiter : waiters) {
                waiter.end(!told);
                told = true;
            }
            waiters.clear();
        }
    }
}
