package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.RedisServer;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two proxies share the limits of keys through a real Redis, which is killed, hangs, and comes back. */
final class SharedLimitsIT {

    private static final String PASSWORD = "wordofpass";
    private static final int RATE = 20;
    private static final int BURST = 20;
    private static final long PER_DAY = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CONFIG = """
            server.port = 0
            admin.port = 0
            plugins.path = []
            default-network = main
            networks.main { chain-id = 1, verify = off, upstreams.node.url = "%s" }
            sharing { url = "redis://:%s@127.0.0.1:%d", interval = 20 ms }
            access.keys {
              rated { sha256 = "%s", rate { calls-per-second = %d, burst = %d } }
              daily { sha256 = "%s", budget.per-day = %d }
            }
            """;

    private RedisServer redis;
    private EchoNode node;
    private List<WeirProcess> proxies;

    @BeforeEach
    void start() {
        redis = RedisServer.start(PASSWORD);
        node = EchoNode.start("node", 1);
        String config = CONFIG.formatted(
                node.url(),
                PASSWORD,
                redis.port(),
                CommandLineRun.sha256("rated"),
                RATE,
                BURST,
                CommandLineRun.sha256("daily"),
                PER_DAY);
        proxies = List.of(WeirProcess.start(config), WeirProcess.start(config));
        proxies.forEach(
                weir -> await().atMost(PATIENCE).until(() -> weir.admin().readyStatus() == 200));
        awaitUp(1);
    }

    @AfterEach
    void stop() {
        proxies.forEach(WeirProcess::close);
        node.close();
        redis.close();
    }

    private void awaitUp(int up) {
        proxies.forEach(
                weir -> await().atMost(PATIENCE).until(() -> weir.admin().metric("weir_sharing_up") == up));
    }

    private static int ask(WeirProcess weir, String key) {
        long began = System.nanoTime();
        int status = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/" + key)
                .post(JsonRpcClient.call("eth_chainId"))
                .statusCode();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                .as("milliseconds of a call")
                .isLessThan(5_000);
        return status;
    }

    /** Asks both proxies at once, as often as they answer. Returns by how much more than the shared rate they admitted in all. */
    private double admittedOverTheRate(double seconds) {
        long began = System.nanoTime();
        long end = began + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        List<CompletableFuture<Integer>> admitted = proxies.stream()
                .map(weir -> CompletableFuture.supplyAsync(() -> {
                    int calls = 0;
                    while (System.nanoTime() - end < 0) {
                        calls += ask(weir, "rated") == 200 ? 1 : 0;
                    }
                    return calls;
                }))
                .toList();
        int calls = admitted.stream().mapToInt(CompletableFuture::join).sum();
        return calls - RATE * (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private long unitsOfToday() {
        return proxies.stream()
                .mapToLong(weir -> (long) weir.admin().metric("weir_key_units_total", "key=\"daily\""))
                .sum();
    }

    private boolean isSpent(WeirProcess weir) {
        return ask(weir, "daily") == 429;
    }

    private void assertThatTheRateIsShared() {
        // Each proxy may give out its burst before it hears of the other.
        assertThat(admittedOverTheRate(4)).isBetween(-RATE * 2.0, 2.0 * BURST + RATE * 0.5);
    }

    private void assertThatEachProxyGoesOnAlone() {
        admittedOverTheRate(0.5);
        assertThat(admittedOverTheRate(3)).isBetween(RATE * 3 * 0.5, 2.0 * BURST + RATE * 3 * 1.2);
    }

    @Test
    void theRateOfAKeyIsThatOfBothProxiesUnlessTheyCannotReachEachOther() {
        assertThatTheRateIsShared();
        redis.kill();
        awaitUp(0);
        assertThatEachProxyGoesOnAlone();
        redis.restart();
        awaitUp(1);
        assertThatTheRateIsShared();
        redis.suspend();
        assertThatEachProxyGoesOnAlone();
        awaitUp(0);
        redis.resume();
        awaitUp(1);
        assertThatTheRateIsShared();
        assertThat(proxies).allSatisfy(weir -> {
            assertThat(weir.process().out()).noneMatch(line -> line.contains(PASSWORD));
            assertThat(weir.process().err()).noneMatch(line -> line.contains(PASSWORD));
            assertThat(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                            .body())
                    .contains("\"sharing\"")
                    .doesNotContain(PASSWORD);
        });
    }

    @Test
    void theUnitsOfADayAreThoseOfBothProxiesAlsoAfterTheRedisLostThem() {
        WeirProcess first = proxies.get(0);
        WeirProcess second = proxies.get(1);
        while (unitsOfToday() < PER_DAY / 4) {
            ask(first, "daily");
        }
        while (unitsOfToday() < PER_DAY / 2) {
            ask(second, "daily");
        }
        redis.kill();
        awaitUp(0);
        assertThat(isSpent(first)).isFalse();
        redis.restart();
        awaitUp(1);
        while (!isSpent(first)) {
            assertThat(unitsOfToday()).isLessThan(PER_DAY * 2);
        }
        await().atMost(PATIENCE).until(() -> isSpent(second));
        assertThat(unitsOfToday()).isBetween(PER_DAY * 98 / 100, PER_DAY * 105 / 100);
    }
}
