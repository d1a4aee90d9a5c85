package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.TestCaller;
import io.weir.cache.BlockKeys;
import io.weir.cache.CallKey;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.HandTier;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.config.NetworkConfig.Verify;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results near the head become final without being asked for again. */
class FinalResultsTest {

    /** Results of final blocks, more than wait for a tier at once. */
    private static final int COUNT = 400;

    private static final int QUEUE = 500;

    private static final String NETWORK = CacheFixture.NETWORK.name();

    private final ForkingChain chain = new ForkingChain(9);
    private final List<CallKey> told = new CopyOnWriteArrayList<>();
    private CacheFixture weir;

    @AfterEach
    void close() {
        weir.memory.close();
    }

    private void begin(int upstreams) {
        chain.finalDepth = 50;
        chain.mine(1_000);
        weir = new CacheFixture(chain, chain::head, Verify.OFF, upstreams).amongOthers();
        weir.memory.store().listen(NETWORK, (key, result, purges) -> told.add(key));
        follow();
    }

    private void follow() {
        weir.nowNanos += TimeUnit.SECONDS.toNanos(11);
        weir.changed();
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        weir.awaitVerified();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2"})
    void theyGoToTheTiersAndAreFoundByTheirHeight(int upstreams, int naming) {
        begin(upstreams);
        String asked = chain.block(998).hash();
        weir.ask("eth_getBlockByNumber", "[\"0x3e6\",true]");
        weir.awaitVerified();
        chain.mine(40);
        follow();
        follow();
        assertThat(told).as("it is not final yet").isEmpty();
        chain.mine(20);
        for (int i = 0; i < 4; i++) {
            chain.upstream = i % naming == 0 ? "a" : "b";
            follow();
        }
        assertThat(told)
                .contains(BlockKeys.block(NETWORK, asked), BlockKeys.height(NETWORK, 998))
                .doesNotContain(BlockKeys.block(NETWORK, chain.block(1_060).hash()));
    }

    @Test
    void allOfThemReachATierWhoseAnchorWasLower() {
        HandTier hand = new HandTier("disk");
        hand.shared = false;
        MetricRegistry registry = new MetricRegistry();
        Tier.Bounds bounds = new Tier.Bounds(TimeUnit.SECONDS.toNanos(1), 8, QUEUE, 1 << 24);
        Tier tier = new Tier(hand, new EntryCodec(100, 1 << 20), bounds, new Meters(registry));
        chain.finalDepth = 600;
        chain.mine(1_100);
        weir = new CacheFixture(chain, chain::head, new TierStack(List.of(tier))).amongOthers();
        follow();
        weir.ask("eth_getBlockByNumber", "[\"0x1\",true]", TestCaller.CLIENT);
        for (long number = 1_000; number > 1_000 - COUNT; number--) {
            weir.ask("eth_getBlockByNumber", "[\"0x" + Long.toHexString(number) + "\",true]", TestCaller.CLIENT);
        }
        chain.mine(600);
        follow();
        follow();
        Awaitility.await().until(() -> {
            weir.channel.runScheduledPendingTasks();
            weir.awaitVerified();
            return count(registry, "stored") + count(registry, "dropped") >= COUNT;
        });
        assertThat(count(registry, "dropped")).isZero();
    }

    private static long count(MetricRegistry registry, String outcome) {
        return registry.getCounters().entrySet().stream()
                .filter(one -> one.getKey().contains("cache_tier_stores")
                        && one.getKey().contains(outcome))
                .mapToLong(one -> one.getValue().getCount())
                .sum();
    }

    @Test
    void theWordOfOneOfSeveralNodesMakesNothingFinal() {
        begin(3);
        weir.ask("eth_getBlockByNumber", "[\"0x3e6\",true]");
        chain.mine(60);
        for (int i = 0; i < 4; i++) {
            follow();
        }
        assertThat(told).isEmpty();
    }
}
