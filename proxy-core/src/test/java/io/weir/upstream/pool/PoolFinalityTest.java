package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finality.Agreed;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(asksForFinality(liar)).as("known for a while").isEqualTo(1);
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

    @ParameterizedTest
    @ValueSource(longs = {99, 1_000_000, 0, -1})
    void aNodeWithAFalseFinalBlockIsNamedWithTheReasonAndStillGetsCalls(long claim) {
        FakeNode liar = nodes("liar", "a1", "a2");
        liar.finalized = claim;
        bench.nodes.get("a1").finalized = 40;
        bench.nodes.get("a2").finalized = 40;
        bench.begin();
        finalityFor(20);
        assertThat(bench.status("liar").detail()).as("others may lag").isEmpty();
        finalityFor(40);
        assertThat(bench.status("liar").detail())
                .startsWith(claim < 0 ? "names no block as finalized" : "names block " + claim + " as finalized")
                .contains(claim > 100 ? "above the head 100" : "40");
        assertThat(bench.status("a1").detail()).isEmpty();
        assertThat(bench.status("a2").detail()).isEmpty();
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
        liar.finalized = 40;
        finalityFor(20);
        assertThat(bench.status("liar").detail()).isEmpty();
    }

    @Test
    void theNextNodeIsAskedForOneThatDoesNotAnswer() {
        nodes("left", "silent", "right").finalized = 99;
        bench.nodes.get("right").finalized = 40;
        bench.begin();
        bench.nodes.get("silent").probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
        assertThat(agreed()).isEqualTo(new Agreed(40, false));
    }

    @Test
    void noDepthReplacesTheTagWhileANodeThatMayNameItDoesNotAnswer() {
        nodes("lacking", "silent").finalized = -1;
        bench.begin();
        FakeNode silent = bench.nodes.get("silent");
        silent.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
        assertThat(agreed()).isEqualTo(new Agreed(-1, false));
        assertThat(agreed()).isEqualTo(new Agreed(-1, false));
        assertThat(asksForFinality(silent)).as("known for a second").isEqualTo(1);
        silent.probeOutcomes.clear();
        bench.pass(1_100);
        assertThat(agreed()).as("both lack it").isEqualTo(new Agreed(-1, true));
    }

    @Test
    void aNodeOfAnotherTierIsAskedUntilABlockIsAgreed() {
        bench.node("near", 0, 1).finalized = 99;
        FakeNode far = bench.node("far", 1, 1);
        far.finalized = 40;
        bench.begin();
        far.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
        assertThat(finalized()).isEqualTo(-1);
        far.probeOutcomes.clear();
        bench.pass(1_100);
        assertThat(finalized()).isEqualTo(40);
    }

    @Test
    void theAgreedBlockStaysWhileNoNodeAnswers() {
        nodes("left", "right").finalized = 40;
        bench.nodes.get("right").finalized = 41;
        bench.begin();
        assertThat(finalized()).isEqualTo(40);
        bench.nodes
                .values()
                .forEach(node -> node.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT)));
        bench.pass(6_000);
        assertThat(finalized()).isEqualTo(40);
    }

    @Test
    void theWordOfTheOnlyNodeCounts() {
        nodes("only").finalized = 99;
        bench.begin();
        assertThat(bench.pool.head().finality().isAlone()).isTrue();
        assertThat(agreed().number()).isEqualTo(99);
        bench.nodes.get("only").finalized = -1;
        bench.pass(6_000);
        assertThat(agreed()).as("it never goes back").isEqualTo(new Agreed(99, false));
    }

    @Test
    void theDepthReplacesATagThatTheOnlyNodeLacks() {
        nodes("only");
        bench.begin();
        assertThat(agreed()).isEqualTo(new Agreed(-1, true));
    }

    /** Adds nodes. Returns the first. */
    private FakeNode nodes(String... ids) {
        for (String id : ids) {
            bench.node(id, 0, 1);
        }
        return bench.nodes.get(ids[0]);
    }

    private void finalityFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            finalized();
            bench.pass(1_000);
        }
    }

    private static long asksForFinality(FakeNode node) {
        return node.probed.stream().filter("eth_getBlockByNumber"::equals).count();
    }

    private long finalized() {
        return agreed().number();
    }

    private Agreed agreed() {
        List<Agreed> known = new ArrayList<>();
        long until = bench.ticker.nanoTime() + 60_000_000_000L;
        bench.pool.head().whenAgreed(bench.loop, BlockTag.FINALIZED, until, known::add);
        bench.settle();
        assertThat(known).hasSize(1);
        return known.get(0);
    }
}
