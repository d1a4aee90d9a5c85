package io.weir.testing.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.chain.TestChain.Memory;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.Verification;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The chain that other tests rely on. */
class TestChainTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final TestChain chain = new TestChain(5, new SignedTransactions(), Memory.FORGETS);

    @Test
    void everyBlockAndItsReceiptsAreProven() {
        chain.mine(20);
        chain.mineOf(40);
        chain.fork(5, 1);
        for (TestBlock block : chain.state().blocks()) {
            Verification<ProvenBlock> finding = BlockProof.block(
                    JSON.readTree(block.text(true)), block.header().hash(), ChainFamily.ETHEREUM);
            assertThat(finding).as(block.toString()).isInstanceOf(Verification.Proven.class);
            ProvenBlock proven = ((Verification.Proven<ProvenBlock>) finding).value();
            assertThat(ReceiptsProof.check(JSON.readTree(block.receipts()), proven, ChainFamily.ETHEREUM))
                    .as(block.toString())
                    .isInstanceOf(Verification.Proven.class);
        }
    }

    @Test
    void aForkReplacesTheNewestBlocksAndHangsTogether() {
        chain.mine(20);
        ChainState before = chain.state();
        chain.fork(7, 2);
        ChainState now = chain.state();
        assertThat(now.head()).isEqualTo(22);
        assertThat(now.at(13)).isEqualTo(before.at(13));
        assertThat(now.at(14)).isNotEqualTo(before.at(14));
        for (int number = 1; number <= 22; number++) {
            assertThat(now.at(number).header().parentHash().hex())
                    .isEqualTo(now.at(number - 1).hash());
        }
        assertThat(ChainAnswers.answer(
                        now, "eth_getBlockByHash", "[\"" + before.at(14).hash() + "\",true]"))
                .isEqualTo(ChainAnswer.NULL);
    }
}
