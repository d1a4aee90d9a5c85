package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A key that takes all it gets of what keys share, and another key that goes on meanwhile. */
final class SharesIT {

    private static final String OTHER_KEY = "another-key";

    private static final String LOOKUP = "\"eth_getBalance\",\"params\":[\"0x%040x\",\"0x10\"]";

    private final CountDownLatch slowOnes = new CountDownLatch(1);

    @Test
    void slowCallsInManyBatchesOfOneKeyFailNoCallOfAnother() throws Exception {
        try (ScriptedAnswers node = new ScriptedAnswers((call, out) -> {
                    if (call.path("method").asString().equals("trace_filter")) {
                        awaitSlowOnes();
                    }
                    ScriptedAnswers.writeWhole(
                            out,
                            ScriptedAnswers.body(
                                    call, result(call.path("method").asString())));
                });
                LocalProxy weir = start(node)) {
            List<Socket> hostile = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                hostile.add(send(weir, batch(i)));
            }
            await().until(() -> weir.admin().metric("weir_calls_in_flight") > 15_000);
            JsonRpcClient other = new JsonRpcClient(weir.url().replace("demo", OTHER_KEY));
            for (int i = 0; i < 200; i++) {
                assertThat(other.post(JsonRpcClient.call("eth_getBalance", "0x%040x".formatted(i), "0x10"))
                                .body())
                        .contains("\"result\":\"0x5\"");
            }
            assertThat(weir.admin().metric("weir_key_refusals_total", "key=\"demo\"", "reason=\"share\""))
                    .as("batches of the key that has its share")
                    .isPositive();
            slowOnes.countDown();
            for (Socket socket : hostile) {
                socket.close();
            }
            await().until(() -> weir.admin().metric("weir_calls_in_flight") == 0);
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        }
    }

    @Test
    void answersThatOneKeyDoesNotReadFailNoCallOfAnother() throws Exception {
        byte[] large = ("\"" + "x".repeat(1_000_000) + "\"").getBytes(US_ASCII);
        try (ScriptedAnswers node = new ScriptedAnswers((call, out) -> {
                    String method = call.path("method").asString();
                    ScriptedAnswers.writeWhole(
                            out, ScriptedAnswers.body(call, method.equals("trace_filter") ? large : result(method)));
                });
                LocalProxy weir = start(node, "server.bytes-in-flight = 64 MiB")) {
            List<Socket> hostile = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                hostile.add(send(weir, batch(i)));
            }
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") > 40 << 20);
            JsonRpcClient other = new JsonRpcClient(weir.url().replace("demo", OTHER_KEY));
            for (int i = 0; i < 200; i++) {
                assertThat(other.post(JsonRpcClient.call("trace_filter", Map.of("after", i)))
                                .body())
                        .as("call %d", i)
                        .hasSizeGreaterThan(large.length);
            }
            for (Socket socket : hostile) {
                socket.close();
            }
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        }
    }

    /** The node gives one answer after the other, each when the test says so. */
    @Test
    void lookupsOfOneKeyThatAreSentTogetherDoNotDelayThoseOfAnother() throws Exception {
        Semaphore answers = new Semaphore(0, true);
        AtomicInteger answered = new AtomicInteger();
        try (ScriptedAnswers node = new ScriptedAnswers((call, out) -> {
                    if (call.isArray() || call.path("method").asString().equals("eth_getBalance")) {
                        answers.acquireUninterruptibly();
                    }
                    writeEach(call, out);
                    answered.incrementAndGet();
                });
                LocalProxy weir = start(node, "server.threads = 1", "networks.main.upstreams.a.max-connections = 2")) {
            List<Socket> hostile = new ArrayList<>();
            for (int i = 0; i < 240; i++) {
                hostile.add(send(weir, batch(i, 64, LOOKUP)));
            }
            await().until(() -> sent(weir) == 240 * 64);
            JsonRpcClient other = new JsonRpcClient(weir.url().replace("demo", OTHER_KEY));
            int before = answered.get();
            for (int i = 0; i < 10; i++) {
                double others = sent(weir);
                CompletableFuture<HttpResponse<String>> own = other.postLater(batch(10_000 + i, 5, LOOKUP));
                await().until(() -> sent(weir) == others + 5);
                while (!own.isDone()) {
                    int seen = answered.get();
                    answers.release();
                    await().pollInterval(Duration.ofMillis(5)).until(() -> own.isDone() || answered.get() > seen);
                }
                assertThat(own.join().body()).contains("\"result\":\"0x5\"");
            }
            assertThat(answered.get() - before)
                    .as("answers of the node before the other key had its ten")
                    .isLessThan(100);
            answers.release(1_000_000);
            for (Socket socket : hostile) {
                socket.close();
            }
            await().until(() -> weir.admin().metric("weir_calls_in_flight") == 0);
        }
    }

    private static double sent(LocalProxy weir) {
        return weir.admin().metric("weir_upstream_sent_total", "method=\"eth_getBalance\"");
    }

    private static void writeEach(JsonNode calls, OutputStream out) throws IOException {
        List<String> bodies = new ArrayList<>();
        for (JsonNode call : calls.isArray() ? calls : List.of(calls)) {
            bodies.add(new String(
                    ScriptedAnswers.body(call, result(call.path("method").asString())), US_ASCII));
        }
        String body = String.join(",", bodies);
        ScriptedAnswers.writeWhole(out, (calls.isArray() ? "[" + body + "]" : body).getBytes(US_ASCII));
    }

    private void awaitSlowOnes() throws IOException {
        try {
            assertThat(slowOnes.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    static byte[] result(String method) {
        String text = switch (method) {
            case "eth_chainId" -> "\"0x1\"";
            case "eth_syncing" -> "false";
            case "eth_blockNumber" -> "\"0x1000\"";
            case "eth_getBlockByNumber" ->
                "{\"number\":\"0x1000\",\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\"}".formatted(2, 1);
            case "trace_filter" -> "[]";
            default -> "\"0x5\"";
        };
        return text.getBytes(US_ASCII);
    }

    private static LocalProxy start(ScriptedAnswers node, String... settings) throws Exception {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(OTHER_KEY.getBytes(StandardCharsets.UTF_8)));
        ConfigurationText text = ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                .setting("networks.main.verify = off")
                .setting("access.keys.other { sha256 = \"" + hash + "\", networks = [\"*\"], methods = [\"*\"] }");
        for (String setting : settings) {
            text.setting(setting);
        }
        LocalProxy weir = LocalProxy.start(text.text());
        await().until(() -> weir.admin().readyStatus() == 200);
        return weir;
    }

    private static String batch(int number) {
        return batch(number, 1_000, "\"trace_filter\",\"params\":[{\"fromBlock\":\"0x1\",\"after\":%d}]");
    }

    /** @param call the method and the parameters, with the place of a number that no other call has */
    private static String batch(int number, int size, String call) {
        List<String> calls = IntStream.range(0, size)
                .mapToObj(id ->
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":" + call.formatted(number * size + id) + "}")
                .toList();
        return "[" + String.join(",", calls) + "]";
    }

    private static Socket send(LocalProxy weir, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port());
        send(socket, body);
        return socket;
    }

    private static void send(Socket socket, String body) throws IOException {
        socket.getOutputStream()
                .write(
                        ("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                                        + body.length() + "\r\n\r\n" + body)
                                .getBytes(US_ASCII));
    }
}
