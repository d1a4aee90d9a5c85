package io.weir.devnet.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.devnet.history.History;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final List<ChainBlock> HISTORY = History.blocks();

    private static ChainBlock next(ChainBlock parent) {
        return new BlockAssembler(parent, BlockPlan.at(parent.header().timestamp() + 4)).seal();
    }

    private static Chain grown(int blocks, int maxLiveBlocks, long maxLiveBytes) {
        Chain chain = new Chain(HISTORY, maxLiveBlocks, maxLiveBytes);
        for (int i = 0; i < blocks; i++) {
            chain.append(next(chain.head()));
        }
        return chain;
    }

    @Test
    void onlyTheLastLiveBlocksAreKept() {
        Chain chain = grown(10, 3, Long.MAX_VALUE);
        assertThat(chain.head().number()).isEqualTo(138);
        assertThat(chain.byNumber(128)).isNotNull();
        assertThat(chain.byNumber(135)).isNull();
        assertThat(chain.isForgotten(135)).isTrue();
        assertThat(chain.byNumber(136)).isNotNull();
        assertThat(chain.isForgotten(136)).isFalse();
        assertThat(chain.isForgotten(139)).isFalse();
        assertThat(chain.byHash(chain.byNumber(136).hash())).isNotNull();
        assertThat(chain.byHash(chain.byNumber(136).header().parentHash())).isNull();
    }

    @Test
    void theSumOfSizesBoundsLiveBlocksTooButTheHeadStays() {
        int size = next(HISTORY.get(128)).sizeBytes();
        assertThat(grown(10, 100, 2L * size + 10).isForgotten(136)).isTrue();
        assertThat(grown(10, 100, 2L * size + 10).byNumber(137)).isNotNull();
        assertThat(grown(10, 100, 1).byNumber(138)).isNotNull();
        assertThat(grown(10, 100, 1).byNumber(137)).isNull();
    }

    @Test
    void aBlockThatIsNotTheHeadsChildIsRefused() {
        Chain chain = new Chain(HISTORY, 10, Long.MAX_VALUE);
        ChainBlock other = next(HISTORY.get(127));
        assertThatThrownBy(() -> chain.append(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: the head");
    }
}
