package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.watch.FinalityWatch;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Own calls of a pool whose nodes have regular blocks, and the delay of new heads, in simulated time. */
class PoolHeadCostTest {

    private static final int STEP_MILLIS = 50;

    private final PoolBench bench = new PoolBench();
    private final FakeNode a = bench.node("a", 0, 1);
    private final FakeNode b = bench.node("b", 0, 1);
    private final List<Long> delays = new ArrayList<>();
    /** Asks what is final, for the results of calls at the head. */
    private @Nullable FinalityWatch finality;

    private long millis;
    private long blocks;
    private long arrivedMillis;
    private long seen = 100;

    /** Lets time pass while the chain grows. Calls want the head in these intervals; 0 is never. */
    private void pass(long passed, long blockMillis, long callMillis) {
        for (long end = millis + passed; millis < end; millis += STEP_MILLIS) {
            if (millis / blockMillis > blocks) {
                blocks = millis / blockMillis;
                arrivedMillis = millis;
                for (FakeNode node : bench.nodes.values()) {
                    node.head = 100 + blocks;
                    node.finalized = 30 + blocks;
                    // Calls about the new block need another connection.
                    node.connects += finality != null ? 1 : 0;
                    node.announce();
                }
            }
            if (callMillis > 0 && millis % callMillis == 0) {
                ask();
            }
            bench.pass(STEP_MILLIS);
        }
    }

    private void ask() {
        long deadline = bench.ticker.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        bench.pool.head().whenFresh(bench.loop, deadline, number -> {
            if (number > seen) {
                seen = number;
                delays.add(millis - arrivedMillis);
            }
            if (finality != null) {
                finality.whenKnown(bench.loop, number, () -> {});
            }
        });
    }

    private long delayMillis(int percent) {
        Collections.sort(delays);
        return delays.get(delays.size() * percent / 100);
    }

    @ParameterizedTest
    @CsvSource({
        // Block time, calls, calls of the proxy's own a block and node, delay at the 95th percentile; in milliseconds.
        "12000, 1000, 1.5, 1100",
        "12000,   50, 1.5,  400",
        " 2000, 1000, 1.5, 1100",
        " 2000,   50, 1.5,  400",
        "  250,   50, 1.1,  450"
    })
    void aBlockCostsFewCallsHoweverManyClientsAsk(long blockMillis, long callMillis, double mostCalls, long mostDelay) {
        bench.setting("kind = ethereum");
        bench.kind = new PlainKind(true, true);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        finality = new FinalityWatch(bench.pool.head(), bench.ticker::nanoTime);
        pass(5 * blockMillis, blockMillis, callMillis);
        bench.nodes.values().forEach(node -> node.probed.clear());
        delays.clear();
        long before = blocks;
        pass(TimeUnit.MINUTES.toMillis(5), blockMillis, callMillis);
        double passed = (double) blocks - before;
        assertThat(a.probed.size() / passed).isLessThan(mostCalls);
        assertThat(b.probed.size() / passed).isLessThan(mostCalls);
        assertThat(delayMillis(95)).isLessThan(mostDelay);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @ParameterizedTest
    @CsvSource({
        // Block time, calls, nodes with WebSockets, calls of the proxy's own a block and node, delay at the 95th
        // percentile.
        "12000, 1000, 1, 1.2, 1000",
        "12000,   50, 1, 1.2,   50",
        "12000,   50, 2, 0.3,   50",
        " 2000,   50, 2, 0.3,   50",
        "  250,   50, 2, 0.3,   50"
    })
    void anAnnouncedBlockCostsACallToEachNodeThatDoesNotAnnounceIt(
            long blockMillis, long callMillis, int announcing, double mostCalls, long mostDelay) {
        a.hasSocket = true;
        b.hasSocket = announcing > 1;
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        pass(5 * blockMillis, blockMillis, callMillis);
        bench.nodes.values().forEach(node -> node.probed.clear());
        delays.clear();
        long before = blocks;
        pass(TimeUnit.MINUTES.toMillis(5), blockMillis, callMillis);
        double passed = (double) blocks - before;
        assertThat(a.probed.size() / passed).isLessThan(mostCalls);
        assertThat(b.probed.size() / passed).isLessThan(mostCalls);
        assertThat(a.subscriptions).hasSize(1);
        assertThat(b.subscriptions).hasSize(announcing - 1);
        assertThat(delays).hasSize((int) passed);
        assertThat(delayMillis(95)).isLessThanOrEqualTo(mostDelay);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatStandsStillDoesNotHideNewBlocks() {
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        pass(60_000, 12_000, 100);
        delays.clear();
        for (int i = 0; i < 3; i++) {
            // Whichever node is asked at first, the other one has the block.
            FakeNode still = i % 2 == 0 ? a : b;
            long head = still.head;
            for (long end = millis + 36_000; millis < end; ) {
                pass(100, 12_000, 100);
                still.head = head;
            }
        }
        assertThat(delays).hasSize(9);
        assertThat(delayMillis(95)).isLessThan(1_500);
    }

    @Test
    void anIdleNetworkCostsACallAMinuteAndNode() {
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        pass(60_000, 12_000, 1_000);
        pass(120_000, 12_000, 0);
        bench.nodes.values().forEach(node -> node.probed.clear());
        pass(TimeUnit.MINUTES.toMillis(30), 12_000, 0);
        for (FakeNode node : bench.nodes.values()) {
            assertThat(node.probed.size()).isLessThanOrEqualTo(30);
        }
    }

    @Test
    void theFirstCallAfterAnIdleTimeGetsTheNewestHead() {
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        pass(60_000, 12_000, 1_000);
        pass(600_000, 12_000, 0);
        ask();
        bench.settle();
        assertThat(seen).isEqualTo(100 + blocks);
    }
}
