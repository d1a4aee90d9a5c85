package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ranges of logs that nodes with different limits refuse, and the joined logs of their pieces. */
final class LogRangesIT {

    private static final int HEAD = 0x40;
    private static final int LOGS = 3;

    private static List<Object> logs(long from, long to) {
        List<Object> logs = new ArrayList<>();
        for (long block = from; block <= to; block++) {
            for (int i = 0; i < LOGS; i++) {
                logs.add(Map.of(
                        "blockNumber",
                        "0x" + Long.toHexString(block),
                        "blockHash",
                        MadeNode.hash(block),
                        "logIndex",
                        i));
            }
        }
        return logs;
    }

    private static Map.Entry<String, ?> block(String selector) {
        long number = selector.startsWith("0x") ? Long.decode(selector) : selector.equals("latest") ? HEAD : 0;
        return MadeNode.block(number);
    }

    private static MadeNode node(int maxBlocks, int maxLogs) throws IOException {
        return new MadeNode((method, params) -> {
            if (method.equals("eth_getBlockByNumber")) {
                return block(params.get(0).asString());
            }
            JsonNode filter = params.get(0);
            long from = Long.decode(filter.get("fromBlock").asString());
            String last = filter.get("toBlock").asString();
            long to = last.equals("latest") ? HEAD : Long.decode(last);
            if (to - from + 1 > maxBlocks) {
                return MadeNode.error(-32600, "block range is too wide");
            }
            return (to - from + 1) * LOGS > maxLogs
                    ? MadeNode.error(-32005, "query returned more than " + maxLogs + " results")
                    : MadeNode.result(logs(from, to));
        });
    }

    private static ConfigurationText config(MadeNode... nodes) {
        ConfigurationText config = ConfigurationText.of("net", "1").networkSetting("verify = off");
        for (int i = 0; i < nodes.length; i++) {
            config.upstream("n" + i, nodes[i].url());
        }
        return config;
    }

    private static JsonNode ask(LocalProxy weir, String from, String to) {
        return new JsonRpcClient(weir.url()).result("eth_getLogs", Map.of("fromBlock", from, "toBlock", to));
    }

    /** A call that comes before the head is known has no number for {@code latest}. */
    private static void awaitHead(LocalProxy weir) {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.result("eth_blockNumber").asString().equals("0x40"));
    }

    @Test
    void aRangeThatEveryNodeRefusesIsAnsweredAsByOneWithoutLimits() throws IOException {
        try (MadeNode few = node(5, 1_000);
                MadeNode more = node(20, 1_000);
                MadeNode full = node(1_000, 40);
                LocalProxy weir = LocalProxy.start(config(few, more, full).text())) {
            awaitHead(weir);
            JsonNode all = MadeNode.JSON.valueToTree(logs(1, HEAD));
            for (int i = 0; i < 5; i++) {
                assertThat(ask(weir, "0x1", "latest")).isEqualTo(all);
                assertThat(ask(weir, "0x1", "0x40")).isEqualTo(all);
            }
            assertThat(weir.admin().metric("weir_log_ranges_total", "outcome=\"joined\""))
                    .isEqualTo(10);
            assertThat(weir.admin().metric("weir_log_ranges_total", "outcome=\"piece_failed\""))
                    .isZero();
        }
    }

    @Test
    void aLearnedLimitSparesTheNodeItsRefusals() throws IOException {
        try (MadeNode node = node(10, 1_000);
                LocalProxy weir = LocalProxy.start(config(node).text())) {
            ask(weir, "0x1", "0x28");
            assertThat(weir.admin().metric("weir_log_range_limit", "upstream=\"n0\""))
                    .isEqualTo(10);
            long before = node.asked("eth_getLogs");
            ask(weir, "0x1", "0x28");
            assertThat(node.asked("eth_getLogs") - before).isEqualTo(4);
        }
    }
}
