package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.verify.ChainVectors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A proven block says nothing of its place: whether it is canonical, only a node answers. */
class RequiredCanonicalProofTest {

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING);

    @AfterEach
    void close() {
        weir.close();
    }

    @Test
    void aBlockThatIsProvenAndNotCanonicalIsRefusedAsTheNodeSays() {
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(
                    node,
                    chain,
                    call -> String.valueOf(call.params()).contains("requireCanonical")
                            ? HandNode.error("hash is not currently canonical")
                            : null);
        }
        String hash = chain.at(54).hash();
        weir.ask("eth_getBlockByHash", "[\"" + hash + "\",true]");
        weir.settle();

        Answer answer =
                weir.ask("eth_getBlockReceipts", "[{\"blockHash\":\"" + hash + "\",\"requireCanonical\":true}]");
        assertThat(answer.failure().error().message()).isEqualTo("hash is not currently canonical");
        assertThat(answer.verified()).isEmpty();
    }
}
