package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalityAgreement;
import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NetworkFinality;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Asks two nodes for the block with a tag when a call needs it. The nodes take turns, so a node with a false word delays
 * agreement but does not prevent it. Confined to the monitor's event loop, except for methods marked as thread-safe.
 */
public final class FinalityRefresh implements NetworkFinality {

    /** Nanoseconds for which an agreed block is used before nodes are asked again. */
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Nanoseconds between two questions to a node of a tier that no call uses. */
    static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Number of nodes that are asked. */
    private static final int ASKED = 2;

    private final FinalityAgreement agreement;
    private final HeadTracker tracker;
    private final List<? extends HeadNode> nodes;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final Map<BlockTag, Poll> polls = new EnumMap<>(BlockTag.class);
    /** When a request ended that found a block, by tag. */
    private final Map<BlockTag, Long> knownNanos = new ConcurrentHashMap<>();

    /** When each node was last asked, by tag. */
    private final Map<BlockTag, Map<HeadNode, Long>> askedNanos = new EnumMap<>(BlockTag.class);

    private int turn;
    /** Whether a node that could be asked was left out, so that the words of the others say nothing of it. */
    private boolean resting;

    /**
     * Creates a refresh over these nodes.
     *
     * @param monitorLoop the loop on which nodes are asked
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public FinalityRefresh(
            FinalityAgreement agreement,
            HeadTracker tracker,
            List<? extends HeadNode> nodes,
            EventLoop monitorLoop,
            LongSupplier clock) {
        this.agreement = agreement;
        this.tracker = tracker;
        this.nodes = nodes;
        this.monitorLoop = monitorLoop;
        this.clock = clock;
        tracker.listen(new HeadListener() {
            @Override
            public void wentBack(long from, long to) {
                agreement.wentBack(to);
                knownNanos.clear();
            }
        });
    }

    /** Thread-safe. */
    @Override
    public void whenKnown(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
        if (isKnown(tag)) {
            sink.accept(agreement.agreed(tag));
            return;
        }
        HeadWaiter waiter = new HeadWaiter(loop, number -> sink.accept(agreement.agreed(tag)));
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong());
        if (monitorLoop.isShuttingDown()) {
            waiter.end(-1);
        } else {
            monitorLoop.execute(() -> ask(tag, waiter));
        }
    }

    /** Thread-safe. */
    @Override
    public void used(BlockTag tag, long number) {
        agreement.used(tag, number);
    }

    private boolean isKnown(BlockTag tag) {
        Long nanos = knownNanos.get(tag);
        return nanos != null && clock.getAsLong() - nanos < MAX_AGE_NANOS;
    }

    private void ask(BlockTag tag, HeadWaiter waiter) {
        if (isKnown(tag)) {
            waiter.end(0);
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

    /** Returns the nodes to ask: others than the last time, if there are more. */
    private List<HeadNode> chosen(Map<HeadNode, Long> askedNanos) {
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
            boolean rests = node.tier() > lowest && asked != null && now - asked < UNUSED_NANOS;
            resting |= node.ready() && rests;
            if (node.ready() && !rests) {
                ready.add(node);
                askedNanos.put(node, now);
            }
        }
        turn = (turn + 1) % nodes.size();
        return ready;
    }

    /** Request in progress for the block with a tag. Confined to the monitor's event loop. */
    private final class Poll {

        private final BlockTag tag;
        private final List<HeadWaiter> waiters = new ArrayList<>();
        private int open;
        private int asked;
        private boolean all;
        private int answered;

        Poll(BlockTag tag) {
            this.tag = tag;
        }

        void begin() {
            List<HeadNode> chosen = chosen(askedNanos.computeIfAbsent(tag, none -> new HashMap<>()));
            asked = chosen.size();
            all = !resting;
            open = asked + 1;
            monitorLoop.schedule(this::patienceEnded, HeadRefresh.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            RpcCall call = ChainCalls.blockByTag(tag);
            chosen.forEach(node -> node.askBlock(call, answer -> took(node, answer)));
            ended();
        }

        private void took(HeadNode node, BlockAnswer answer) {
            if (answer.kind() == BlockAnswer.Kind.SHOWN) {
                agreement.named(tag, node.id(), answer.number(), answer.hash());
                answered++;
            } else if (answer.isLack()) {
                agreement.lacks(tag);
                answered++;
            }
            ended();
        }

        private void ended() {
            open--;
            if (open == 0) {
                polls.remove(tag);
                if (answered > 0 && answered == asked && all) {
                    // The other node lacks the tag, or only one node can be asked.
                    agreement.alone(tag, tracker.number());
                }
                if (answered > 0) {
                    knownNanos.put(tag, clock.getAsLong());
                }
                release();
            }
        }

        /** A slow node does not delay calls while a block is known. */
        private void patienceEnded() {
            Agreed known = agreement.agreed(tag);
            if (known.number() >= 0 || known.byDepth()) {
                release();
            }
        }

        private void release() {
            waiters.forEach(waiter -> waiter.end(0));
            waiters.clear();
        }
    }
}
