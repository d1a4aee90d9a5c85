package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.upstream.link.WebSocketConnectionHandler.KeepAlive;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {

    private static final long IDLE_MILLIS = 60_000;
    private static final long PING_MILLIS = 1_000;
    private static final long RENEW_MILLIS = 5 * PING_MILLIS;
    private static final long NO_TASK = -1;
    private static final StreamLimit STREAMS = new StreamLimit(1, new Meters(new MetricRegistry()));

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private int silences;
    private int renewals;
    private final KeepAlive watch = new KeepAlive(
            channel,
            new LinkLimits(
                    1, 1, 1, IDLE_MILLIS, PING_MILLIS, RENEW_MILLIS, 1 << 10, 1 << 10, 1, new Budget(1 << 10), STREAMS),
            () -> silences++,
            () -> renewals++);

    @BeforeEach
    void start() {
        channel.freezeTime();
        watch.start();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void afterAPause() {
        channel.advanceTimeBy(PING_MILLIS, TimeUnit.MILLISECONDS);
        channel.runPendingTasks();
    }

    private void assertPings(int count) {
        for (int i = 0; i < count; i++) {
            PingWebSocketFrame ping = channel.readOutbound();
            assertThat(ping).isNotNull();
            ping.release();
        }
        assertThat(channel.<Object>readOutbound()).isNull();
    }

    @Test
    void aNodeIsPingedAfterAPauseAndIsSilentAfterTwo() {
        afterAPause();
        assertPings(1);
        assertThat(silences).isZero();
        afterAPause();
        assertPings(0);
        assertThat(silences).isOne();
    }

    @Test
    void aNodeThatAnswersAPingIsPingedAgainOnlyAfterAnotherPause() {
        afterAPause();
        watch.hear();
        afterAPause();
        assertPings(1);
        afterAPause();
        assertPings(1);
        assertThat(silences).isZero();
    }

    @Test
    void aSocketIsDueForRenewalAfterEachOfItsTimes() {
        for (int i = 1; i <= 10; i++) {
            watch.hear();
            afterAPause();
            assertThat(renewals).isEqualTo(i / 5);
        }
    }

    @Test
    void aSocketThatIsNoLongerWatchedHasNoTimerLeft() {
        assertThat(channel.runScheduledPendingTasks()).isNotEqualTo(NO_TASK);
        watch.stop();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TASK);
    }
}
