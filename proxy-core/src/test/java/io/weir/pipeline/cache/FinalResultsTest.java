package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CallKey;
import io.weir.cache.block.BlockKeys;
import io.weir.config.NetworkConfig.Verify;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results near the head become final without being asked for again. */
class FinalResultsTest {

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
        weir = new CacheFixture(chain, chain::head, Verify.OFF, upstreams);
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
