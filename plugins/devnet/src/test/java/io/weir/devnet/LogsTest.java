package io.weir.devnet;

import static io.weir.devnet.Devnet.Bounds.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import io.weir.devnet.rpc.LogBounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LogsTest {
    private static final TestNode NODE = TestNode.start();
    private static final String TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    private static final String APPROVAL = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    private static final String ACCOUNT_0 = "0x" + "0".repeat(24) + TestNode.ACCOUNT_0.substring(2);

    private static List<JsonNode> logs(String filter) {
        return NODE.call("eth_getLogs", filter).valueStream().toList();
    }

    /** All logs of the history, by its receipts. */
    private static List<JsonNode> all() {
        List<JsonNode> all = new ArrayList<>();
        for (int number = 0; number <= 128; number++) {
            for (JsonNode receipt : NODE.call("eth_getBlockReceipts", "0x" + Integer.toHexString(number))) {
                receipt.get("logs").forEach(all::add);
            }
        }
        return all;
    }

    private static boolean has(JsonNode log, int topic, String value) {
        return log.get("topics").get(topic).stringValue().equals(value);
    }

    @Test
    void aWholeRangeGivesEveryLogAsItIsInItsReceipt() {
        assertThat(logs("{\"fromBlock\":\"earliest\",\"toBlock\":\"latest\"}"))
                .hasSizeGreaterThan(50)
                .isEqualTo(all());
    }

    @Test
    void addressesAndTopicsNarrowDown() {
        String range = "{\"fromBlock\":\"0x0\",\"toBlock\":\"0x80\",";
        assertThat(logs(range + "\"address\":\"" + TestNode.TOKEN + "\"}")).isEqualTo(all());
        assertThat(logs(range + "\"address\":[\"" + TestNode.STRANGER + "\"]}")).isEmpty();
        assertThat(logs(range + "\"address\":[\"" + TestNode.STRANGER + "\",\"" + TestNode.TOKEN + "\"]}"))
                .isEqualTo(all());
        assertThat(logs(range + "\"topics\":[\"" + APPROVAL + "\"]}"))
                .hasSize(1)
                .allMatch(log -> has(log, 0, APPROVAL));
        assertThat(logs(range + "\"topics\":[[\"" + APPROVAL + "\",\"" + TRANSFER + "\"]]}"))
                .isEqualTo(all());
        assertThat(logs(range + "\"topics\":[null,\"" + ACCOUNT_0 + "\"]}"))
                .isNotEmpty()
                .isEqualTo(all().stream().filter(log -> has(log, 1, ACCOUNT_0)).toList());
        assertThat(logs(range + "\"topics\":[\"" + TRANSFER + "\",null,[\"" + ACCOUNT_0 + "\"]]}"))
                .isNotEmpty()
                .allMatch(log -> has(log, 0, TRANSFER) && has(log, 2, ACCOUNT_0));
        assertThat(logs(range + "\"topics\":[null,null,null,null]}")).isEmpty();
    }

    @Test
    void aBlocksHashGivesTheLogsOfThatBlock() {
        JsonNode block = NODE.call("eth_getBlockByNumber", "0x46", false);
        assertThat(logs("{\"blockHash\":\"" + block.get("hash").stringValue() + "\"}"))
                .isNotEmpty()
                .isEqualTo(logs("{\"fromBlock\":\"0x46\",\"toBlock\":\"0x46\"}"));
        assertThat(NODE.error("eth_getLogs", "{\"blockHash\":\"" + TRANSFER + "\"}"))
                .hasMessage("unknown block");
    }

    @Test
    void withoutARangeTheLatestBlockIsMeant() {
        assertThat(logs("{}")).isEmpty();
        assertThat(logs("{\"fromBlock\":\"0x7f\"}")).isNotEmpty();
    }

    @Test
    void rangesThatAreNoneAreRefused() {
        refused("{\"fromBlock\":\"0x5\",\"toBlock\":\"0x4\"}", "invalid block range params");
        refused("{\"fromBlock\":\"0x5\",\"toBlock\":\"0x81\"}", "block range extends beyond current head block");
        refused("{\"fromBlock\":\"pending\"}", "pending logs are not supported");
        refused("{\"topics\":[null,null,null,null,null]}", "exceed max topics");
        for (String end : List.of("fromBlock", "toBlock")) {
            refused(
                    "{\"blockHash\":\"" + TRANSFER + "\",\"" + end + "\":\"0x0\"}",
                    "invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
        }
        refused("[]", "invalid argument 0: json: cannot unmarshal array into Go value of type filters.input");
    }

    private static void refused(String filter, String message) {
        RpcException error = NODE.error("eth_getLogs", filter);
        assertThat(error).hasMessage(message);
        assertThat(error.code()).isEqualTo(-32602);
    }

    @Test
    void tooManyBlocksOrLogsAreRefused() {
        TestNode small = TestNode.start(
                new Devnet.Bounds(USUAL.liveBlocks(), USUAL.liveBytes(), USUAL.pool(), new LogBounds(20, 3)));
        assertThat(small.error("eth_getLogs", "{\"fromBlock\":\"0x0\",\"toBlock\":\"0x14\"}"))
                .hasMessage("block range is too wide: 21 blocks (expected: at most 20)");
        RpcException many = small.error("eth_getLogs", "{\"fromBlock\":\"0x0\",\"toBlock\":\"0x13\"}");
        assertThat(many).hasMessage("query returned more than 3 results");
        assertThat(many.code()).isEqualTo(-32005);
    }
}
