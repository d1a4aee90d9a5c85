package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** The hash of a final block, of which an anchor is made. */
class FinalProofTest {

    private final VectorNode node = new VectorNode();

    private RawJson block(boolean honest) {
        String params = "[\"" + node.blockWithTransactions(3).get("number").asString() + "\",false]";
        String answer = node.answer("eth_getBlockByNumber", VectorNode.JSON.readTree(params));
        ObjectNode block = (ObjectNode) VectorNode.JSON.readTree(answer);
        if (!honest) {
            block.put("hash", block.get("parentHash").asString());
        }
        return RawJson.of(block.toString());
    }

    @ParameterizedTest
    @EnumSource
    void aFalseOneIsBelievedOnlyWhereAnswersAreNotVerified(Verify verify) {
        CacheFixture weir = new CacheFixture(node, node::head, verify, 1);
        assertThat(weir.head.finality().proves(block(true))).isTrue();
        assertThat(weir.head.finality().proves(block(false))).isEqualTo(verify == Verify.OFF);
        assertThat(weir.head.finality().proves(null)).isEqualTo(verify == Verify.OFF);
        weir.memory.close();
    }
}
