package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Lists of logs from files, after kills and with damaged bytes. With {@code -Dweir.logs.blocks=10000} the range is longer, and the times
 * that are printed are those of a proxy with all optimisations. {@code -Dweir.logs.kills=50} kills it more often.
 */
final class StoredLogsIT {

    private static final int BLOCKS = Integer.getInteger("weir.logs.blocks", 320);
    private static final int RUN = 64;
    private static final int EACH = 5;
    private static final int FILTERS = BLOCKS > 1_000 ? 1_000 : 100;
    private static final int KINDS = BLOCKS > 1_000 ? 200 : 40;
    private static final int KILLS = Integer.getInteger("weir.logs.kills", 3);
    private static final List<String> METHODS = List.of("eth_getLogs", "eth_getBlockReceipts", "eth_getBlockByHash");

    @TempDir
    private Path temp;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final TestChain chain = new TestChain(5, new SignedTransactions(KINDS), Memory.FORGETS);

    private String configuration(ChainServer... nodes) {
        ConfigurationText text = ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID))
                .networkSetting("verify-logs = refuse")
                .setting("cache.disk { path = \"" + folder() + "\", size = 512 MiB }");
        for (int i = 0; i < nodes.length; i++) {
            text.upstream("node" + i, nodes[i].url());
        }
        return text.text();
    }

    private Path folder() {
        return temp.resolve("store");
    }

    private static WeirProcess start(String configuration) {
        List<String> flags = BLOCKS > 1_000
                ? List.of("-XX:TieredStopAtLevel=4", "-Dio.netty.leakDetection.level=disabled")
                : List.of();
        WeirProcess weir = WeirProcess.start(flags, configuration);
        await().until(() -> JsonRpcClient.parsed(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                        .body())
                .at("/cache/tiers/0/state")
                .asString()
                .equals("up"));
        return weir;
    }

    private static String filter(long from, long to, String more) {
        return "{\"fromBlock\":\"0x" + Long.toHexString(from) + "\",\"toBlock\":\"0x" + Long.toHexString(to) + '"'
                + more + "}";
    }

    private JsonNode right(String filter) {
        return JsonRpcClient.parsed(ChainAnswers.answer(chain.state(), "eth_getLogs", "[" + filter + "]")
                .text());
    }

    private static JsonNode ask(WeirProcess weir, String filter) {
        return new JsonRpcClient(weir.url()).answer("eth_getLogs", JsonRpcClient.parsed(filter));
    }

    private static long stored(WeirProcess weir) {
        return (long) weir.admin().metric("weir_cache_tier_stores_total", "tier=\"disk\"", "outcome=\"stored\"");
    }

    /** Has the proxy prove all blocks, and waits until they are stored. */
    private void fill(WeirProcess weir) {
        for (long from = 0; from < BLOCKS; from += RUN) {
            String filter = filter(from, Math.min(from + RUN, BLOCKS) - 1, "");
            JsonNode answer = ask(weir, filter);
            assertThat(answer.get("result")).as(answer.toString()).isEqualTo(right(filter));
        }
        long[] before = {-1};
        await().until(() -> {
            long now = stored(weir);
            boolean same = now == before[0];
            before[0] = now;
            return same;
        });
    }

    private String anyFilter() {
        JsonNode all = right(filter(0, 0, ""));
        while (all.isEmpty()) {
            long number = random.nextInt(BLOCKS);
            all = right(filter(number, number, ""));
        }
        JsonNode log = all.get(random.nextInt(all.size()));
        return filter(
                0,
                BLOCKS - 1,
                ",\"address\":" + log.get("address") + ",\"topics\":["
                        + log.get("topics").get(0) + "]");
    }

    private static long asked(ChainServer... nodes) {
        return Arrays.stream(nodes)
                .flatMap(node -> node.counts().entrySet().stream())
                .filter(call -> METHODS.contains(call.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static double[] percentiles(List<Double> millis) {
        List<Double> sorted = millis.stream().sorted().toList();
        return new double[] {sorted.get(sorted.size() / 2), sorted.get((int) (sorted.size() * 0.99))};
    }

    @Test
    void theyAreCompleteAfterAKillAndNeverFalse() throws IOException {
        chain.mine(BLOCKS + 100, EACH);
        chain.finalize(BLOCKS + 10);
        try (ChainServer a = new ChainServer(chain);
                ChainServer b = new ChainServer(chain)) {
            WeirProcess killed = start(configuration(a, b));
            long begun = System.nanoTime();
            fill(killed);
            System.out.printf("filled %d blocks in %.1f s%n", BLOCKS, (System.nanoTime() - begun) / 1e9);
            killed.process().kill();
            askAfterARestart(a, b);
            for (int i = 0; i < 3; i++) {
                flip();
                try (WeirProcess weir = start(configuration(a, b))) {
                    for (int j = 0; j < 10; j++) {
                        String filter = anyFilter();
                        JsonNode answer = ask(weir, filter);
                        assertThat(answer.has("result") ? answer.get("result") : right(filter))
                                .as("seed %d: %s", seed, answer)
                                .isEqualTo(right(filter));
                    }
                }
            }
        }
    }

    private void askAfterARestart(ChainServer a, ChainServer b) throws IOException {
        try (WeirProcess weir = start(configuration(a, b))) {
            ask(weir, filter(0, 0, ""));
            String range = "0-" + (BLOCKS - 1);
            await().untilAsserted(() -> assertThat(weir.admin()
                            .status()
                            .at("/networks/net/completeLogs/0")
                            .asString())
                    .isEqualTo(range));
            assertThat(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/")
                            .body())
                    .contains("complete logs of net: blocks " + range);
            long before = asked(a, b);
            List<Double> millis = new ArrayList<>();
            int found = 0;
            for (int i = 0; i < FILTERS; i++) {
                String filter = anyFilter();
                long start = System.nanoTime();
                JsonNode answer = ask(weir, filter);
                millis.add((System.nanoTime() - start) / 1e6);
                assertThat(answer.get("result")).as("seed %d: %s", seed, answer).isEqualTo(right(filter));
                found += answer.get("result").size();
            }
            double[] times = percentiles(millis);
            System.out.printf(
                    "first %.1f ms, median %.2f ms, 99th percentile %.2f ms, logs in a list %.1f, calls %d%n",
                    millis.get(0), times[0], times[1], (double) found / FILTERS, asked(a, b) - before);
            int logs = right(filter(0, BLOCKS - 1, "")).size();
            System.out.printf("%d logs, %.0f bytes in files for each%n", logs, (double) size() / logs);
            assertThat(asked(a, b) - before).as("seed %d", seed).isLessThanOrEqualTo(FILTERS / 10);
        }
    }

    @Test
    void killsAtAnyMomentAndTornFilesLeaveNoFalseLog() throws IOException {
        chain.mine(BLOCKS + 100, EACH);
        chain.finalize(BLOCKS + 10);
        try (ChainServer a = new ChainServer(chain);
                ChainServer b = new ChainServer(chain)) {
            for (int i = 0; i < KILLS; i++) {
                WeirProcess killed = start(configuration(a, b));
                long until = asked(a, b) + random.nextInt(200);
                CompletableFuture<Void> walk = CompletableFuture.runAsync(() -> walk(killed));
                await().until(() -> walk.isDone() || asked(a, b) >= until);
                killed.process().kill();
                Throwable ended = walk.handle((done, failure) -> failure).join();
                boolean isFalse = ended != null && ended.getCause() instanceof AssertionError;
                assertThat(isFalse).as("seed %d: %s", seed, ended).isFalse();
                if (random.nextInt(3) == 0) {
                    flip();
                } else if (random.nextBoolean()) {
                    tear();
                }
            }
            try (WeirProcess weir = start(configuration(a, b))) {
                fill(weir);
                String filter = anyFilter();
                assertThat(ask(weir, filter).get("result")).as("seed %d", seed).isEqualTo(right(filter));
            }
        }
    }

    @Test
    void aFullDiskLosesNoLogAndTheStoreGoesOnOnceThereIsRoom() throws Exception {
        chain.mine(BLOCKS + 100, EACH);
        chain.finalize(BLOCKS + 10);
        Files.createDirectories(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));
        String room = "size=" + BLOCKS + "k,mode=700";
        assumeTrue(mount("mount", "-t", "tmpfs", "-o", room, "tmpfs"), "needs the right to mount a file system");
        try (ChainServer a = new ChainServer(chain);
                ChainServer b = new ChainServer(chain)) {
            try (WeirProcess weir = start(configuration(a, b))) {
                walk(weir);
                await().until(() -> weir.process().told().contains("No space left on device"));
                assertThat(weir.admin().status().at("/cache/tiers/0/state").asString())
                        .isEqualTo("not stored to: it cannot be written");
                walk(weir);
            }
            try (WeirProcess weir = start(configuration(a, b))) {
                walk(weir);
            }
            assertThat(mount("mount", "-o", "remount,size=1g", "tmpfs")).isTrue();
            try (WeirProcess weir = start(configuration(a, b))) {
                fill(weir);
            }
            try (WeirProcess weir = start(configuration(a, b))) {
                ask(weir, filter(0, 0, ""));
                long before = asked(a, b);
                fill(weir);
                assertThat(asked(a, b) - before).as("seed %d", seed).isLessThanOrEqualTo(BLOCKS / 10);
            }
        } finally {
            mount("umount");
        }
    }

    /** Runs a command about the folder of the store as a file system of its own. Returns whether it succeeded. */
    private boolean mount(String... command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of(command));
        whole.add(folder().toString());
        return new ProcessBuilder(whole).start().waitFor() == 0;
    }

    /** Asks for all blocks until the proxy is gone. */
    private void walk(WeirProcess weir) {
        for (long from = 0; from < BLOCKS; from += RUN) {
            String filter = filter(from, Math.min(from + RUN, BLOCKS) - 1, "");
            JsonNode answer = ask(weir, filter);
            if (answer.has("result")) {
                assertThat(answer.get("result")).as("seed %d", seed).isEqualTo(right(filter));
            }
        }
    }

    /** Cuts a file as a machine that loses its power does. */
    private void tear() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".segment")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
            }
        }
    }

    private long size() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private void flip() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".segment")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (int i = 0; i < 10; i++) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Files.write(file, bytes);
            }
        }
    }
}
