package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.RedisServer;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two proxies share the limits of keys through a real Redis, which is killed, hangs, and comes back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SharedLimitsIT {

    private static final String PASSWORD = "wordofpass";
    private static final int RATE = 20;
    private static final int BURST = 20;
    private static final long PER_DAY = 2_000;
    /** Calls between two looks at the figures, which cost more than a call. */
    private static final int CALLS_AT_ONCE = 20;
    /** Between two calls to a proxy: several times as many as the rate admits, and few enough to leave the machine to others. */
    private static final long PAUSE_MILLIS = 8;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CONFIG = """
            server.port = 0
            admin.port = 0
            plugins.path = []
            default-network = main
            networks.main { chain-id = 1, verify = off, upstreams.node.url = "%s" }
            sharing { url = "redis://:%s@127.0.0.1:%d" }
            access.keys {
              rated { sha256 = "%s", rate { calls-per-second = %d, burst = %d } }
              daily { sha256 = "%s", budget.per-day = %d }
            }
            """;

    private RedisServer redis;
    private EchoNode node;
    private List<WeirProcess> proxies;

    @BeforeAll
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

    @AfterAll
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

    /** Asks both proxies all the time. Returns by how much more than the shared rate they admitted in all. */
    private double admittedOverTheRate(double seconds) {
        AtomicInteger admitted = new AtomicInteger();
        ScheduledExecutorService clients = Executors.newScheduledThreadPool(proxies.size());
        long began = System.nanoTime();
        try {
            List<ScheduledFuture<?>> asking = new ArrayList<>();
            for (WeirProcess weir : proxies) {
                asking.add(clients.scheduleAtFixedRate(
                        () -> admitted.addAndGet(ask(weir, "rated") == 200 ? 1 : 0),
                        0,
                        PAUSE_MILLIS,
                        TimeUnit.MILLISECONDS));
            }
            long millis = (long) (seconds * 1_000);
            await().atMost(PATIENCE).until(() -> System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(millis));
            assertThat(asking).as("clients that ask").noneMatch(ScheduledFuture::isDone);
            return admitted.get() - RATE * (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        } finally {
            clients.shutdown();
        }
    }

    private long unitsOfToday() {
        return proxies.stream()
                .mapToLong(weir -> (long) weir.admin().metric("weir_key_units_total", "key=\"daily\""))
                .sum();
    }

    private void askUntil(WeirProcess weir, long units) {
        while (unitsOfToday() < units) {
            for (int i = 0; i < CALLS_AT_ONCE; i++) {
                ask(weir, "daily");
            }
        }
    }

    private boolean isSpent(WeirProcess weir) {
        return ask(weir, "daily") == 429;
    }

    private void assertThatTheRateIsShared() {
        // Each proxy may give out its burst before it hears of the other.
        assertThat(admittedOverTheRate(2.5)).isBetween(-RATE * 1.25, 2.0 * BURST + RATE * 0.5);
    }

    private void assertThatEachProxyGoesOnAlone() {
        admittedOverTheRate(0.5);
        assertThat(admittedOverTheRate(2)).isBetween(RATE * 2 * 0.5, 2.0 * BURST + RATE * 2 * 1.2);
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
        askUntil(first, PER_DAY / 4);
        askUntil(second, PER_DAY / 2);
        redis.kill();
        awaitUp(0);
        assertThat(isSpent(first)).isFalse();
        redis.restart();
        awaitUp(1);
        for (int calls = 1; !isSpent(first); calls++) {
            if (calls % CALLS_AT_ONCE == 0) {
                assertThat(unitsOfToday()).isLessThan(PER_DAY * 2);
            }
        }
        await().atMost(PATIENCE).until(() -> isSpent(second));
        assertThat(unitsOfToday()).isBetween(PER_DAY * 98 / 100, PER_DAY * 105 / 100);
    }
}
