package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.api.SubscriptionForm.Refusal;
import io.weir.api.SubscriptionForm.Start;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.HandSession;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.MadeLogs;
import io.weir.subscription.stream.StreamBlock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which replays of earlier blocks may run. */
class BlockReplaysTest {

    private static final int MAX_BLOCKS = 10;
    private static final long TOP = 100;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BlockReplays replays = new BlockReplays(
            channel.eventLoop(),
            null,
            null,
            null,
            new Start("from", MAX_BLOCKS, new Refusal(68, "too early"), new Refusal(24, "unknown block")),
            new SubscriptionMeters(new Meters(new MetricRegistry()), "net"));

    private Subscription subscription() {
        return new Subscription(
                "0x1",
                SubscriptionRequest.of(SubscriptionKind.NEW_HEADS, MadeLogs.NOTIFICATIONS, null),
                TestCaller.CLIENT,
                new HandSession(channel.eventLoop()));
    }

    /** Takes the place of a replay from a block on for a subscription. Returns the error; null if there is none. */
    private @Nullable String take(long first, Subscription subscription) {
        RpcReply.Failure failure = replays.take(
                new StreamBlock(new BlockLink(first, "0x" + first, "0x0"), RawJson.of("{}"), -1), subscription);
        return failure == null ? null : failure.error().message();
    }

    private Subscription joinedAtTop() {
        Subscription subscription = subscription();
        subscription.joinedAfter(new BlockLink(TOP, "0xtop", "0x0"));
        return subscription;
    }

    @Test
    void aReplayBeginsAtMostTheMaximumNumberOfBlocksEarlier() {
        assertThat(take(TOP - MAX_BLOCKS, joinedAtTop())).isNull();
        assertThat(take(TOP - MAX_BLOCKS - 1, joinedAtTop())).isEqualTo("too early");
        assertThat(take(1, subscription())).as("without a newest block").isNull();
    }

    @Test
    void aReplayBeyondTheMaximumNumberIsRefusedUntilAnotherOneHasEnded() {
        Subscription one = joinedAtTop();
        assertThat(take(TOP, one)).isNull();
        for (int others = 1; others < 16; others++) {
            assertThat(take(TOP, joinedAtTop())).isNull();
        }
        Subscription late = joinedAtTop();
        assertThat(take(TOP, late)).contains("at most 16");
        replays.end(late);
        assertThat(take(TOP, late))
                .as("a refused one has no place to give back")
                .isNotNull();
        replays.end(one);
        replays.end(one);
        assertThat(take(TOP, late)).isNull();
        assertThat(take(TOP, joinedAtTop())).as("a place is given back once").isNotNull();
    }
}
