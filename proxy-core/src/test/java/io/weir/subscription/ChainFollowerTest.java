package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.chain.HeadTracker;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.HandBlocks;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the head is looked for, and who hears of it. */
class ChainFollowerTest implements NetworkHead {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HeadTracker tracker = new HeadTracker(1, System::nanoTime);
    private final ChainView view = new ChainView();
    private final Finality finalized = Finalities.alone(tracker);
    private final NetworkChain chain = new NetworkChain(
            view,
            finalized,
            new ChainWatch(this, view, finalized, new HandBlocks(), 0, count -> true, System::nanoTime),
            null,
            new ShownBlocks());
    private final ChainFollower follower = new ChainFollower(channel.eventLoop(), this, chain);
    private final List<LongConsumer> asked = new ArrayList<>();
    /** The newest block at each time at which the follower told of a change. */
    private final List<Long> told = new ArrayList<>();

    private long named;

    @BeforeEach
    void start() {
        channel.freezeTime();
        follower.start();
    }

    @Override
    public HeadTracker tracker() {
        return tracker;
    }

    @Override
    public Finality finality() {
        return finalized;
    }

    @Override
    public void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        asked.add(sink);
    }

    @Override
    public void whenShown(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        sink.accept(named);
    }

    @Override
    public void seen(String upstreamId, long number) {}

    @Override
    public void missing(long number) {}

    private void follow() {
        follower.follow(() -> told.add(follower.canonical().top()), () -> {});
    }

    /** Answers the newest question; -1 if no node named a head. */
    private void answer(long head) {
        named = head;
        asked.get(asked.size() - 1).accept(head);
        channel.runPendingTasks();
    }

    private void rise(long number) {
        tracker.raise(number);
        channel.runPendingTasks();
    }

    private void passASecond() {
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runPendingTasks();
    }

    @Test
    void theHeadIsLookedForAtOnceAndEachSecondAndWheneverItRises() {
        follow();
        answer(8);
        passASecond();
        answer(-1);
        rise(8);
        assertThat(asked).hasSize(3);
        assertThat(told)
                .as("also without a head, since the view may have moved")
                .containsExactly(8L, 8L);
    }

    @Test
    void aHeadThatRisesWhileItIsLookedForIsLookedForOnceMore() {
        follow();
        rise(8);
        rise(9);
        assertThat(asked).hasSize(1);
        answer(8);
        assertThat(asked).hasSize(2);
        answer(8);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aHeadThatIsNoLongerFollowedIsNotLookedForThoughItRoseBefore() {
        rise(7);
        assertThat(asked).as("before anybody follows it").isEmpty();
        follow();
        answer(8);
        tracker.raise(8);
        follower.stop();
        channel.runPendingTasks();
        passASecond();
        assertThat(asked).hasSize(1);
    }

    @Test
    void aHeadThatIsFoundTooLateIsToldToNobody() {
        follow();
        follower.stop();
        answer(8);
        assertThat(told).isEmpty();
    }

    @Test
    void aHeadThatIsFollowedAgainIsLookedForNoMoreOftenThanBefore() {
        follow();
        answer(8);
        follower.stop();
        follow();
        answer(8);
        passASecond();
        answer(8);
        assertThat(asked).hasSize(3);
    }
}
