package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class HistoryIsFixedTest {
    @Test
    void twoStartsGiveTheSameAnswers() {
        assertThat(blocks(TestNode.start())).isEqualTo(blocks(TestNode.start()));
    }

    /** Users and documents may hold on to hashes of the history: a change of this one is a change for them. */
    @Test
    void theLastBlockOfTheHistoryKeepsItsHash() {
        TestNode node = TestNode.start();
        assertThat(node.text("eth_blockNumber")).isEqualTo("0x80");
        assertThat(node.call("eth_getBlockByNumber", "0x80", false).get("hash").stringValue())
                .isEqualTo("0x636a6aeb05e42aa1ce18ae6575a2527d76b983306816d40ff5f09fcad6a189c7");
    }

    private static List<JsonNode> blocks(TestNode node) {
        List<JsonNode> blocks = new ArrayList<>();
        for (long number = 0; number <= 128; number++) {
            String hex = "0x" + Long.toHexString(number);
            blocks.add(node.call("eth_getBlockByNumber", hex, true));
            blocks.add(node.call("eth_getBlockReceipts", hex));
        }
        return blocks;
    }
}
