package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Four pruned nodes in the first tier, and an archive in the second one. */
final class PrunedNodesIT {

    private static final int HEAD = 10_000;
    private static final int KEPT = 128;
    private static final int PRUNED = 4;
    private static final int CALLS = 60;
    private static final String ADDRESS = "0x" + "12".repeat(20);
    private static final Set<String> TRACES = Set.of("trace_block", "eth_getBlockReceipts");

    private final Random random = new Random(7);

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    private static Map.Entry<String, ?> block(long number) {
        return MadeNode.result(Map.of(
                "number",
                hex(number),
                "hash",
                "0x%064x".formatted(number),
                "parentHash",
                "0x%064x".formatted(number - 1),
                "transactions",
                List.of()));
    }

    private static long number(JsonNode selector) {
        String text = selector.asString("");
        return text.startsWith("0x") ? Long.decode(text) : HEAD;
    }

    /** Answers with the block that was asked about, so that each answer can be checked. */
    private static Map.Entry<String, ?> answer(String method, JsonNode params, boolean archive) {
        if (method.equals("eth_getBlockByNumber")) {
            return block(number(params.get(0)));
        }
        if (TRACES.contains(method)) {
            return archive ? MadeNode.result(List.of()) : MadeNode.error(-32601, "the method does not exist");
        }
        long block = number(params.get(method.equals("eth_getStorageAt") ? 2 : 1));
        return archive || HEAD - block < KEPT
                ? MadeNode.result("0x%064x".formatted(block))
                : MadeNode.error(-32000, "missing trie node 0b6e (path ) state 0x2 is not available");
    }

    private static LocalProxy proxy(List<MadeNode> pruned, MadeNode archive) {
        ConfigurationText text = ConfigurationText.of("main", "1")
                .networkSetting("verify = off")
                .networkSetting("hashing = none")
                // A slow moment of the machine must not add a call.
                .networkSetting("balance.hedge-percent = 0");
        for (int i = 0; i < pruned.size(); i++) {
            text.upstream("pruned-" + i, pruned.get(i).url());
        }
        text.upstream("archive", archive.url()).networkSetting("upstreams.archive.tier = 1");
        LocalProxy weir = LocalProxy.start(text.text());
        await().until(() -> weir.admin().metric("weir_upstream_healthy") == pruned.size() + 1
                && new JsonRpcClient(weir.url())
                        .result("eth_blockNumber")
                        .asString()
                        .equals(hex(HEAD)));
        return weir;
    }

    /** Lets a test run with fresh nodes. */
    private interface Run {
        void with(JsonRpcClient client, List<MadeNode> pruned, MadeNode archive);
    }

    private static void run(Run run) throws IOException {
        List<MadeNode> pruned = new ArrayList<>();
        try (MadeNode archive = new MadeNode(HEAD, (method, params) -> answer(method, params, true))) {
            for (int i = 0; i < PRUNED; i++) {
                pruned.add(new MadeNode(HEAD, (method, params) -> answer(method, params, false)));
            }
            try (LocalProxy weir = proxy(pruned, archive)) {
                run.with(new JsonRpcClient(weir.url()), pruned, archive);
            }
        } finally {
            pruned.forEach(MadeNode::close);
        }
    }

    @Test
    void everyOldBalanceIsFoundAndEachPrunedNodeIsAskedInVainOnce() throws IOException {
        run((client, pruned, archive) -> {
            for (int i = 0; i < CALLS; i++) {
                long block = 1L + random.nextInt(HEAD - KEPT - 1);
                assertThat(client.result("eth_getBalance", ADDRESS, hex(block)).asString())
                        .isEqualTo("0x%064x".formatted(block));
            }
            assertThat(archive.asked("eth_getBalance")).isEqualTo(CALLS);
            assertThat(pruned)
                    .allSatisfy(node -> assertThat(node.asked("eth_getBalance")).isLessThanOrEqualTo(1));

            // The newest state is still the first tier's to answer.
            for (int i = 1; i <= CALLS; i++) {
                client.result("eth_getBalance", "0x%040x".formatted(i), "latest");
            }
            assertThat(archive.asked("eth_getBalance")).isEqualTo(CALLS);
        });
    }

    @Test
    void whatOneMethodShowsAboutOldStateHoldsForAllMethods() throws IOException {
        List<String> methods = List.of("eth_getCode", "eth_getTransactionCount", "eth_getBalance", "eth_getStorageAt");
        run((client, pruned, archive) -> {
            for (int i = 0; i < CALLS; i++) {
                String method = methods.get(i % methods.size());
                String block = hex(1L + random.nextInt(HEAD - KEPT - 1));
                JsonNode result = method.equals("eth_getStorageAt")
                        ? client.result(method, ADDRESS, "0x0", block)
                        : client.result(method, ADDRESS, block);
                assertThat(Long.decode(result.asString())).isEqualTo(Long.decode(block));
            }
            assertThat(pruned)
                    .allSatisfy(node -> assertThat(
                                    methods.stream().mapToLong(node::asked).sum())
                            .isLessThanOrEqualTo(1));
        });
    }

    @Test
    void aMethodThatOnlyTheArchiveHasIsAskedInVainOnceAtEachOtherNode() throws IOException {
        run((client, pruned, archive) -> {
            for (int i = 1; i <= CALLS; i++) {
                assertThat(client.result("trace_block", hex(i)).isArray()).isTrue();
                assertThat(client.result("eth_getBlockReceipts", hex(i)).isArray())
                        .isTrue();
            }
            assertThat(pruned)
                    .allSatisfy(node -> assertThat(TRACES)
                            .allSatisfy(trace -> assertThat(node.asked(trace)).isLessThanOrEqualTo(1)));
        });
    }
}
