package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.BlockLink;
import io.weir.chain.HeadTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the head is looked for, and who hears of it. */
class ChainFollowerTest implements ChainFollower.Heads {

    private static final BlockLink HEAD = new BlockLink(7, "0x7", "0x6");

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HeadTracker tracker = new HeadTracker(1, System::nanoTime);
    private final ChainFollower follower = new ChainFollower(channel.eventLoop(), tracker, this);
    private final List<Consumer<@Nullable BlockLink>> asked = new ArrayList<>();
    private final List<BlockLink> told = new ArrayList<>();
    private int forgotten;

    @BeforeEach
    void start() {
        channel.freezeTime();
        follower.start();
    }

    @Override
    public void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
        asked.add(found);
    }

    @Override
    public void forget() {
        forgotten++;
    }

    private void answer(@Nullable BlockLink head) {
        asked.get(asked.size() - 1).accept(head);
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
        follower.follow(told::add);
        answer(HEAD);
        passASecond();
        answer(null);
        rise(8);
        assertThat(asked).hasSize(3);
        assertThat(told).containsExactly(HEAD);
    }

    @Test
    void aHeadThatRisesWhileItIsLookedForIsLookedForOnceMore() {
        follower.follow(told::add);
        rise(8);
        rise(9);
        assertThat(asked).hasSize(1);
        answer(HEAD);
        assertThat(asked).hasSize(2);
        answer(HEAD);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aHeadThatIsNoLongerFollowedIsNotLookedForThoughItRoseBefore() {
        rise(7);
        assertThat(asked).as("before anybody follows it").isEmpty();
        follower.follow(told::add);
        answer(HEAD);
        tracker.raise(8);
        follower.stop();
        channel.runPendingTasks();
        passASecond();
        assertThat(asked).hasSize(1);
        assertThat(forgotten).isOne();
    }

    @Test
    void aHeadThatIsFoundTooLateIsToldToNobody() {
        follower.follow(told::add);
        follower.stop();
        answer(HEAD);
        assertThat(told).isEmpty();
    }

    @Test
    void aHeadThatIsFollowedAgainIsLookedForNoMoreOftenThanBefore() {
        follower.follow(told::add);
        answer(HEAD);
        follower.stop();
        follower.follow(told::add);
        answer(HEAD);
        passASecond();
        answer(HEAD);
        assertThat(asked).hasSize(3);
    }
}
