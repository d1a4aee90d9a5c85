package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.Anchors.ClaimedBlock;
import io.weir.pipeline.evidence.Anchors.Standing;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.HandBlocks;
import io.weir.pipeline.watch.HandBlocks.Finalized;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.FakeHead;
import io.weir.verify.ChainVectors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstreams that differ about a block that is not final are all honest; what was settled is forgotten with the chain. */
class AnchorsNearHeadTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final VectorChain honest = new VectorChain(VECTORS);
    private final Entry other = AnchorsTest.forge(honest.at(54));
    private final VectorChain elsewhere = new VectorChain(VECTORS).put(other);
    private final ServingFixture weir =
            new ServingFixture(Verify.BEFORE_SERVING, Hashing.ETHEREUM, Unverifiable.REFUSE, 3);

    @AfterEach
    void close() {
        weir.close();
    }

    /** Three upstreams, one of which is on another block 54, on a chain whose final block is a given one. */
    private HandNode one(boolean first, int finalNumber) {
        HandNode c = new HandNode("c");
        weir.pool.nodes.add(c);
        HandNode one = first ? weir.pool.a : weir.pool.b;
        for (HandNode node : List.of(weir.pool.a, weir.pool.b, c)) {
            ServingFixture.serve(
                    node,
                    node == one ? elsewhere : honest,
                    call -> String.valueOf(call.params()).contains("finalized")
                            ? HandNode.result(honest.at(finalNumber).block().toString())
                            : null);
        }
        return one;
    }

    @ParameterizedTest
    @CsvSource({"true, 53", "false, 53", "true, 40", "false, 40"})
    void anUpstreamThatIsOnAnotherBlockAboveTheFinalOneIsNotBlamed(boolean first, int finalNumber) {
        HandNode one = one(first, finalNumber);
        Answer answer = weir.ask("eth_getBlockByNumber", "[\"0x36\",true]");

        assertThat(answer.json())
                .as("two of three have it")
                .isEqualTo(honest.at(54).block());
        assertThat(one.refuted).isEmpty();
        assertThat(weir.pool.a.refuted).isEmpty();
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void anUpstreamThatIsOnAnotherFinalBlockIsBlamed(boolean first) {
        HandNode one = one(first, 54);
        weir.ask("eth_getBlockByNumber", "[\"0x36\",true]");

        assertThat(one.refuted).singleElement().asString().startsWith("OTHER_BLOCK costs: block 54: ");
    }

    @Test
    void aFinalBlocksPlaceIsRememberedUntilTheChainIsReplaced() {
        Anchors anchors = settled(54);
        String hash = honest.at(54).hash();
        assertThat(anchors.known(54, hash)).isEqualTo(Standing.CANONICAL);
        assertThat(anchors.known(54, other.hash())).isEqualTo(Standing.OTHER);

        anchors.forget();
        assertThat(anchors.known(54, hash)).isEqualTo(Standing.UNKNOWN);
        assertThat(anchors.known(54, other.hash())).isEqualTo(Standing.UNKNOWN);
    }

    @Test
    void theBlocksOfAReplacedChainAreVerifiedAtTheirOwnPlaces() {
        for (VectorChain chain : List.of(honest, elsewhere)) {
            ServingFixture.serve(weir.pool.a, chain);
            ServingFixture.serve(weir.pool.b, chain);
            Answer answer = weir.ask("eth_getBlockByNumber", "[\"0x36\",true]");
            assertThat(answer.json()).isEqualTo(chain.at(54).block());
            assertThat(answer.verified()).isEqualTo("header, transactions, place");
            weir.replaceChain();
        }
    }

    @Test
    void thePlaceOfABlockThatIsNotFinalIsNotRemembered() {
        Anchors anchors = settled(53);

        assertThat(anchors.known(54, honest.at(54).hash())).isEqualTo(Standing.UNKNOWN);
    }

    /** Two upstreams have agreed on block 54. */
    private Anchors settled(int finalNumber) {
        ServingFixture.serve(weir.pool.a, honest);
        ServingFixture.serve(weir.pool.b, honest);
        FakeHead head = new FakeHead(0);
        HandBlocks blocks = new HandBlocks();
        blocks.finalized = new Finalized(false, finalNumber, null);
        FinalityWatch finality = new FinalityWatch(blocks.naming(head), System::nanoTime);
        Anchors anchors =
                weir.anchors(new NetworkChain(new ChainView(), head.finality, null, finality, new ShownBlocks()));
        List<Standing> told = new ArrayList<>();
        weir.onLoop(loop -> anchors.find(
                weir.pool.context("caller", "eth_getBlockByNumber", "[\"0x36\",false]", 10_000),
                new ClaimedBlock(54, honest.at(54).hash(), "a"),
                told::add));
        assertThat(told).containsExactly(Standing.CANONICAL);
        return anchors;
    }
}
