package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finality;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing that was final on one chain is final on the chain that replaced it. */
class ReplacedChainTest {

    private final ForkingChain chain = new ForkingChain(4);
    private final CacheFixture weir = new CacheFixture(chain, chain::head);
    private final Finality finalized = weir.cache.chain().finalized();

    @BeforeEach
    void followAChainWithFinalBlocks() {
        chain.mine(100);
        weir.ask("eth_getBlockByNumber", "[\"0x24\",false]");
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(finalized.number()).isEqualTo(36);
        assertThat(finalized.anchor()).isNotNull();
    }

    @AfterEach
    void close() {
        weir.memory.close();
    }

    private void look() {
        weir.changed();
        weir.nowNanos += TimeUnit.SECONDS.toNanos(20);
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        weir.changed();
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
    }

    /** As a development node that was started anew: other blocks, and fewer. */
    private void startAnew(int length) {
        chain.blocks.subList(1, chain.blocks.size()).clear();
        chain.mine(length);
    }

    @Test
    void aBlockOfAShorterChainIsNotFinalBecauseALongerOneWas() {
        startAnew(20);
        look();

        assertThat(finalized.covers(15)).isFalse();
        assertThat(finalized.number()).isLessThan(chain.head());
        String before = weir.ask("eth_getBlockByNumber", "[\"0xf\",false]");
        chain.reorganise(10, 1);
        look();
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0xf\",false]"))
                .isNotEqualTo(before)
                .contains(chain.block(15).hash());
    }

    @Test
    void theAnchorOfTheChainThatWasReplacedIsForgotten() {
        String before = finalized.anchor().hash();
        chain.reorganise(90, 0);
        look();

        Finality.Anchor anchor = finalized.anchor();
        assertThat(anchor == null ? "" : anchor.hash()).isNotEqualTo(before);
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x24\",false]"))
                .contains(chain.block(36).hash());
    }
}
