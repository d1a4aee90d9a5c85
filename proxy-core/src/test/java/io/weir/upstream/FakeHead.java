package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NetworkHead.ShownBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Head that nodes name as a test has prepared; without preparation, none does. Confined to one thread. */
public class FakeHead implements NetworkHead {

    /** Heads that nodes name, one for each request. */
    public final Deque<Long> named = new ArrayDeque<>();

    /** Number of requests. */
    public int asked;

    /** Blocks that answers showed, with their nodes. */
    public final List<String> seen = new ArrayList<>();

    /** What is known of final blocks; of a network of one node. */
    public Finality finality;

    /** Asks nodes for their final block on an event loop, and then runs the action; by default they do not answer. */
    public BiConsumer<EventLoop, Runnable> finalBlocks = (loop, then) -> then.run();

    /** Clock of the time between two requests for final blocks. */
    public LongSupplier clock = System::nanoTime;

    private boolean isFinalAsked;
    private long finalAskedNanos;

    private final List<HeadBlockListener> listeners = new ArrayList<>();
    private final HeadTracker tracker;

    public FakeHead(long maxAgeNanos) {
        this(maxAgeNanos, System::nanoTime);
    }

    public FakeHead(long maxAgeNanos, LongSupplier clock) {
        tracker = new HeadTracker(maxAgeNanos, clock);
        finality = new Finality(tracker, 1, 64, true, clock);
    }

    @Override
    public HeadTracker tracker() {
        return tracker;
    }

    @Override
    public void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        if (tracker.fresh()) {
            sink.accept(tracker.number());
            return;
        }
        asked++;
        Long head = named.poll();
        if (head != null) {
            RoundResult result = round(head);
            if (result == RoundResult.DOUBTED) {
                round(head);
            }
        }
        sink.accept(head == null ? -1 : tracker.number());
    }

    @Override
    public Finality finality() {
        return finality;
    }

    @Override
    public void whenAgreed(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Finality.Agreed> sink) {
        sink.accept(finality.agreed(tag));
    }

    @Override
    public void whenFinalKnown(EventLoop loop, long maxAgeNanos, long deadlineNanos, Consumer<Boolean> sink) {
        if (isFinalAsked && clock.getAsLong() - finalAskedNanos < maxAgeNanos) {
            sink.accept(false);
            return;
        }
        isFinalAsked = true;
        finalAskedNanos = clock.getAsLong();
        whenFresh(loop, deadlineNanos, number -> finalBlocks.accept(loop, () -> sink.accept(true)));
    }

    @Override
    public void listen(HeadBlockListener listener) {
        listeners.add(listener);
    }

    /** Has a node show its newest block. Only its place in the chain can be read. */
    public void show(BlockLink block, String upstreamId) {
        ShownBlock shown = new ShownBlock(block, RawJson.of("{}"), AnswerKind.BLOCK);
        HeadMoment round = tracker.now();
        tracker.named(round, block.number(), true);
        listeners.forEach(listener -> listener.shown(shown, round, upstreamId));
    }

    private RoundResult round(long head) {
        HeadMoment round = tracker.now();
        tracker.named(round, head, true);
        return tracker.end(round, head, true);
    }

    @Override
    public void missing(long number) {
        tracker.outdate();
    }

    @Override
    public void seen(String upstreamId, long number) {
        seen.add(upstreamId + ":" + number);
        tracker.raise(number);
    }
}
