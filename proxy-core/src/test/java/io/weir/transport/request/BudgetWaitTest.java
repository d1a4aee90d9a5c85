package io.weir.transport.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.limit.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BudgetWaitTest {

    private final Budget bytes = new Budget(10);
    private final ReadPauseHandler pause = new ReadPauseHandler();
    private final ChannelInboundHandlerAdapter user = new ChannelInboundHandlerAdapter();
    private final EmbeddedChannel channel = new EmbeddedChannel(pause, user);
    private final ChannelHandlerContext context = channel.pipeline().context(user);
    private final List<Boolean> results = new ArrayList<>();

    @BeforeEach
    void freezeTime() {
        channel.freezeTime();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void withCapacityNothingWaits() {
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        assertThat(results).containsExactly(true);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void readingPausesUntilThereIsCapacity() {
        bytes.take(10);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        pass(20);
        assertThat(results).isEmpty();
        assertThat(channel.config().isAutoRead()).isFalse();
        bytes.give(1);
        pass(10);
        assertThat(results).containsExactly(true);
        assertThat(channel.config().isAutoRead()).isTrue();
        bytes.take(1);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        bytes.give(1);
        pass(10);
        assertThat(results).as("it may wait once more").containsExactly(true, true);
    }

    @Test
    void theWaitEndsWithoutCapacityToo() {
        bytes.take(10);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        for (int i = 0; i < 100; i++) {
            pass(10);
        }
        assertThat(results).containsExactly(false);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void onlyOneWaitsAtATime() {
        bytes.take(10);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        bytes.give(1);
        pass(10);
        assertThat(results).containsExactly(true);
    }

    @Test
    void nothingGoesOnOnceTheConnectionHasClosed() {
        bytes.take(10);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        channel.close();
        bytes.give(1);
        pass(10);
        assertThat(results).isEmpty();
    }

    @Test
    void nothingGoesOnOnceTheHandlerIsGone() {
        bytes.take(10);
        pause.awaitBudget(context, bytes.share("holder"), results::add);
        channel.pipeline().remove(user);
        bytes.give(1);
        pass(10);
        assertThat(results).isEmpty();
    }
}
