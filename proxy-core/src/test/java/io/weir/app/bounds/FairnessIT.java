package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Nineteen keys that use four fifths of what a node can answer at a time, and one more that takes all it can get: the failures of the
 * nineteen, and their times with and without it. Times need a quiet machine, so the test runs on request alone.
 */
final class FairnessIT {

    private static final int KEYS = 19;
    private static final int SECONDS = Integer.getInteger("weir.fairness.seconds", 10);

    /** What the node answers at a time, each for so long, and how much of it the keys use. */
    private static final int PLACES = 32;

    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final double LOAD = 0.8;

    /** No single client makes the calls of a key: a call of it takes longer than the time to its next one. */
    private static final int CLIENTS = 3;

    private static final long PAUSE_NANOS = (long) (ANSWER_NANOS * KEYS * CLIENTS / (LOAD * PLACES));
    private static final byte[] LARGE = ("\"" + "x".repeat(1_000_000) + "\"").getBytes(US_ASCII);

    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Whether the node answers at once from now on. */
    private volatile boolean over;

    /**
     * What the callers of one run saw.
     *
     * @param nanos of each call, ascending
     */
    private record Run(long[] nanos, int failures) {

        long percentile(double part) {
            return nanos[(int) Math.min(nanos.length - 1L, Math.round(part * nanos.length))];
        }

        @Override
        public String toString() {
            return "%d calls, %d failed, median %.1f ms, 99th percentile %.1f ms"
                    .formatted(nanos.length, failures, percentile(0.5) / 1e6, percentile(0.99) / 1e6);
        }
    }

    @ParameterizedTest
    @EnumSource(HostileKey.class)
    void oneHostileKeyDoesNotFailOrDelayTheOthers(HostileKey key) throws Exception {
        assumeTrue(
                Boolean.getBoolean("weir.fairness"),
                "times need a quiet machine: run with -Dit.test=FairnessIT -Dweir.fairness=true");
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ScriptedAnswers node = new ScriptedAnswers(this::answer);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx512m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            run(threads, weir, () -> {});
            Run before = run(threads, weir, () -> {});
            Run during;
            try (HostileKey.Attack attack = new HostileKey.Attack(weir.port())) {
                during = run(threads, weir, () -> key.begin(attack));
                System.out.printf(
                        "fairness: %s: without: %s; with %d rounds: %s%n", key, before, attack.rounds(), during);
                over = true;
            }
            assertThat(during.failures()).isLessThanOrEqualTo(during.nanos().length / 1000);
            assertThat(during.percentile(0.99)).isLessThanOrEqualTo(3 * before.percentile(0.99));
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Begins an attack, and does not wait for its answers. */
    private interface Begin {
        void begin() throws IOException;
    }

    /** @param hostile begins when the keys call already; the calls before do not count */
    private static Run run(ExecutorService threads, WeirProcess weir, Begin hostile) throws Exception {
        List<Future<long[]>> callers = new ArrayList<>();
        for (int caller = 0; caller < KEYS * CLIENTS; caller++) {
            String url = weir.url().replace("demo", "key" + caller % KEYS);
            callers.add(threads.submit(() -> call(new JsonRpcClient(url))));
        }
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        hostile.begin();
        long[] nanos = {};
        for (Future<long[]> caller : callers) {
            long[] more = caller.get();
            int length = nanos.length;
            nanos = Arrays.copyOf(nanos, length + more.length);
            System.arraycopy(more, 0, nanos, length, more.length);
        }
        Arrays.sort(nanos);
        // A call that failed counts with a negative time.
        int failures = (int) Arrays.stream(nanos).filter(time -> time < 0).count();
        return new Run(Arrays.copyOfRange(nanos, failures, nanos.length), failures);
    }

    private static long[] call(JsonRpcClient client) {
        List<Long> nanos = new ArrayList<>();
        long first = System.nanoTime() + ThreadLocalRandom.current().nextLong(PAUSE_NANOS);
        long counted = first + TimeUnit.SECONDS.toNanos(1);
        long end = counted + TimeUnit.SECONDS.toNanos(SECONDS);
        for (long begin = first; begin < end; begin += PAUSE_NANOS) {
            while (begin - System.nanoTime() > 0) {
                LockSupport.parkNanos(begin - System.nanoTime());
            }
            String body = client.post(JsonRpcClient.call(
                            "eth_getBalance",
                            "0x%040x".formatted(System.nanoTime()),
                            (begin - first) / PAUSE_NANOS % 2 == 0 ? "0x10" : "latest"))
                    .body();
            // From the planned begin: a call that waits for the one before it is late.
            long now = System.nanoTime();
            if (begin - counted >= 0) {
                nanos.add(body.contains("\"result\"") ? now - begin : begin - now);
            }
        }
        return nanos.stream().mapToLong(Long::longValue).toArray();
    }

    private void answer(JsonNode call, OutputStream out) throws IOException {
        String method = call.path("method").asString();
        long end = System.nanoTime() + (method.equals("trace_get") ? SLOW_NANOS : ANSWER_NANOS);
        while (!over && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(Math.min(ANSWER_NANOS, end - System.nanoTime()));
        }
        byte[] result = method.equals("trace_filter") ? LARGE : SharesIT.result(method);
        ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
    }

    private static String configuration(ScriptedAnswers node) throws Exception {
        ConfigurationText text = ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                .setting("networks.main.verify = off")
                .setting("defaults.upstream.max-connections = " + PLACES);
        text.setting("server.max-connections = 5000");
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        for (int key = 0; key < KEYS; key++) {
            String hash = HexFormat.of().formatHex(sha256.digest(("key" + key).getBytes(StandardCharsets.UTF_8)));
            text.setting(
                    "access.keys.k" + key + " { sha256 = \"" + hash + "\", networks = [\"*\"], methods = [\"*\"] }");
        }
        return text.text();
    }
}
