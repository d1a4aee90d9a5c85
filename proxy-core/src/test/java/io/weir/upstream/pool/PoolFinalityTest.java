package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NetworkFinality;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Final blocks of a pool's nodes, of which one may lie. */
class PoolFinalityTest {

    private final PoolBench bench = new PoolBench();

    @Test
    void twoNodesNameAFinalBlockAndTheLowerOneCounts() {
        FakeNode liar = nodes("liar", "a1");
        liar.finalized = 99;
        bench.nodes.get("a1").finalized = 40;
        bench.begin();
        assertThat(finalized()).isEqualTo(40);
        assertThat(finalized()).isEqualTo(40);
        assertThat(liar.probed.stream().filter("eth_getBlockByNumber"::equals).count())
                .as("known for a while")
                .isEqualTo(1);
        liar.finalized = -1;
        bench.nodes.get("a1").finalized = 41;
        bench.pass(6_000);
        assertThat(finalized()).isEqualTo(41);
    }

    @Test
    void aNodeWithoutTheTagChangesNothingForTheOthers() {
        nodes("liar", "a1", "a2").finalized = -1;
        bench.nodes.get("a1").finalized = 40;
        bench.nodes.get("a2").finalized = 40;
        bench.begin();
        for (int i = 0; i < 5; i++) {
            assertThat(finalized()).isLessThanOrEqualTo(40);
            bench.pass(6_000);
        }
        assertThat(finalized()).isEqualTo(40);
    }

    @Test
    void aNodeThatCannotBeAskedLeavesTheOtherOnesWordAlone() {
        FakeNode left = nodes("left", "down");
        left.finalized = 99;
        bench.begin();
        bench.nodes.get("down").probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
        assertThat(finalized()).isEqualTo(-1);
        bench.nodes.get("down").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("down", FakeNode.failed(Fault.CONNECT));
        bench.pass(6_000);
        assertThat(finalized()).as("the depth bounds it").isEqualTo(36);
    }

    @Test
    void aNetworkOfOneNodeHasNoAgreement() {
        nodes("only");
        bench.begin();
        assertThat(bench.pool.head().finality()).isNull();
    }

    /** Adds nodes. Returns the first. */
    private FakeNode nodes(String... ids) {
        for (String id : ids) {
            bench.node(id, 0, 1);
        }
        return bench.nodes.get(ids[0]);
    }

    private long finalized() {
        NetworkFinality finality = Objects.requireNonNull(bench.pool.head().finality());
        List<Agreed> known = new ArrayList<>();
        finality.whenKnown(bench.loop, BlockTag.FINALIZED, bench.ticker.nanoTime() + 60_000_000_000L, known::add);
        bench.settle();
        assertThat(known).hasSize(1);
        return known.get(0).number();
    }
}
