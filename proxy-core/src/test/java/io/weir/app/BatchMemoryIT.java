package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.ScriptedAnswers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Batches whose results are many times larger than the heap: the proxy serves on, whoever sends them. */
final class BatchMemoryIT {

    private static final int CLIENTS = 4;

    @ParameterizedTest
    @CsvSource({
        "1000, 1000000, eth_getBlockReceipts",
        "200, 10000000, eth_getBlockReceipts",
        "1000, 1000000, trace_filter",
        "200, 10000000, debug_traceTransaction"
    })
    void largeBatchesOfSeveralClientsDoNotEndTheProcess(int calls, int bytes, String method) throws Exception {
        byte[] result = ("[{\"logs\":[],\"pad\":\"" + "x".repeat(bytes) + "\"}]").getBytes(US_ASCII);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ScriptedAnswers node = new ScriptedAnswers((call, out) ->
                        ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, ofChain(call, result))));
                WeirProcess weir = WeirProcess.start(
                        List.of("-Xmx256m"),
                        ConfigurationText.of("main", "1")
                                .upstream("a", node.url())
                                .networkSetting("verify = off")
                                .networkSetting("ejection = off")
                                .text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            String batch = batch(calls, method);
            List<Future<String>> answers = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                answers.add(threads.submit(
                        () -> new JsonRpcClient(weir.url()).post(batch).body()));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get())
                        .startsWith("[{\"jsonrpc\":\"2.0\",\"id\":0,")
                        .endsWith("}]");
            }
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
            assertThat(new JsonRpcClient(weir.url())
                            .post(JsonRpcClient.call("eth_chainId"))
                            .body())
                    .contains("\"result\":\"0x1\"");
            assertThat(weir.process().told()).doesNotContain("OutOfMemory");
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the result of a node whose head is high enough. */
    private static byte[] ofChain(JsonNode call, byte[] result) {
        return switch (call.path("method").asString()) {
            case "eth_chainId" -> "\"0x1\"".getBytes(US_ASCII);
            case "eth_syncing" -> "false".getBytes(US_ASCII);
            case "eth_blockNumber" -> "\"0x1000\"".getBytes(US_ASCII);
            case "eth_getBlockByNumber" ->
                "{\"number\":\"0x1000\",\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\"}"
                        .formatted(2, 1)
                        .getBytes(US_ASCII);
            case "eth_getBlockReceipts" -> ofBlock(call.at("/params/0"), result);
            default -> result;
        };
    }

    /** Returns a list of one receipt, which names its block. */
    private static byte[] ofBlock(JsonNode number, byte[] receipts) {
        byte[] names = "[{\"blockHash\":\"0x%064x\",\"blockNumber\":%s,"
                .formatted(3, number)
                .getBytes(US_ASCII);
        byte[] named = Arrays.copyOf(names, names.length + receipts.length - 2);
        System.arraycopy(receipts, 2, named, names.length, receipts.length - 2);
        return named;
    }

    private static String batch(int calls, String method) {
        List<String> items = IntStream.range(0, calls)
                .mapToObj(id -> "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":["
                        + params(method, id) + "]}")
                .toList();
        return "[" + String.join(",", items) + "]";
    }

    private static String params(String method, int id) {
        return switch (method) {
            case "eth_getBlockReceipts" -> "\"0x" + Integer.toHexString(id + 1) + "\"";
            case "debug_traceTransaction" -> "\"0x%064x\"".formatted(id);
            default -> "{\"fromBlock\":\"0x1\",\"after\":" + id + "}";
        };
    }
}
