package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HistoryNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Results in files behind the memory: a start begins with what was there, and never with what is damaged. */
final class DiskTierIT {

    private static final int FINAL = 40;

    @TempDir
    Path temp;

    private HistoryNode node;
    private HistoryCalls calls;

    @BeforeEach
    void start() throws IOException {
        node = HistoryNode.start();
        // A tier holds no single transactions: only their block proves where they stand.
        calls = HistoryCalls.of(node, FINAL).of("eth_getTransactionByHash", true);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String configuration() {
        return ConfigurationText.of("history", HistoryNode.CHAIN_ID)
                .upstream("node", node.url())
                .networkSetting("finality.depth = 10")
                .networkSetting("upstreams.node.batch.size = 1")
                .setting("cache.disk { path = \"" + folder() + "\", size = 16 MiB }")
                .text();
    }

    private Path folder() {
        return temp.resolve("results");
    }

    private static double stored(WeirProcess weir) {
        return weir.admin().metric("weir_cache_tier_stores_total", "tier=\"disk\"", "outcome=\"stored\"");
    }

    private static double bytes(WeirProcess weir) {
        return weir.admin().metric("weir_bytes_cached_in_tier", "tier=\"disk\"");
    }

    /** Whether the files were read. Until then no lookup goes to them. */
    private static boolean isOpen(WeirProcess weir) {
        JsonNode status = JsonRpcClient.parsed(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                .body());
        return status.at("/cache/tiers/0/state").asString().equals("up");
    }

    /** Not all: a block that is kept before it is known to be final comes to the tier without its height. */
    private int most() {
        return calls.size() * 3 / 4;
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> file.toString().endsWith(".segment")).toList();
        }
    }

    @Test
    void aStartAfterAKillBeginsWarmAndFlippedBytesAreNeverServed() throws IOException {
        WeirProcess killed = WeirProcess.start(configuration());
        // The last blocks are left for the second start, so that it has something to store.
        HistoryCalls early = calls.part(0, calls.size() - 4);
        await().untilAsserted(() -> {
            early.askAll(killed);
            assertThat(stored(killed)).as(killed.admin().metrics()).isGreaterThanOrEqualTo(most());
        });
        killed.process().kill();
        try (WeirProcess weir = WeirProcess.start(configuration())) {
            await().until(() -> isOpen(weir));
            long before = node.answered();
            int hits = calls.askAll(weir);
            assertThat(hits).isGreaterThanOrEqualTo(most() - 2);
            assertThat(node.answered() - before).isLessThanOrEqualTo(calls.size() - most() + 2);
            assertThat(weir.process().err()).noneMatch(line -> line.contains("damaged"));
            refusesTheSameFolder();
            await().until(() -> stored(weir) > 0);
            // The last results are stored one after the other.
            await().until(() -> bytes(weir) == Files.size(segments().get(0)));
        }
        long seed = new Random().nextLong();
        flip(new Random(seed));
        try (WeirProcess weir = WeirProcess.start(configuration())) {
            await().until(() -> isOpen(weir));
            calls.askAll(weir);
            assertThat(weir.admin().metric("weir_cache_tier_lookups_total", "outcome=\"refused\"")
                            + weir.process().err().stream()
                                    .filter(line -> line.contains("is set aside"))
                                    .count())
                    .as("seed %d", seed)
                    .isPositive();
        }
    }

    private void refusesTheSameFolder() throws IOException {
        Path file = Files.writeString(temp.resolve("second.conf"), configuration());
        try (ChildProcess second = WeirProcess.launch("run", "--config", file.toString())) {
            assertThat(second.awaitExit(Duration.ofSeconds(60))).isNotZero();
            assertThat(second.told())
                    .contains("cache.disk.path: " + folder() + " (expected: a folder that no other proxy uses)");
        }
    }

    private void flip(Random random) throws IOException {
        for (Path file : segments()) {
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < 10; i++) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, bytes);
        }
    }
}
