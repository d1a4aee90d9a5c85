package io.weir.app;

import static io.weir.app.RedisHistory.awaitUp;
import static io.weir.app.RedisHistory.lookups;
import static io.weir.app.RedisHistory.purge;
import static io.weir.app.RedisHistory.status;
import static io.weir.app.RedisHistory.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real Redis behind the memory may be gone, slow or full, and every answer is right all the same. */
final class RedisTroublesIT {

    private RedisHistory history;

    @BeforeEach
    void start() throws IOException {
        history = new RedisHistory();
    }

    @AfterEach
    void stop() {
        if (history != null) {
            history.close();
        }
    }

    @Test
    void itMayEndComeBackAndBeSlowUnderLoad() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(4);
        // So little memory that nearly every call looks behind it.
        try (WeirProcess weir = history.weir("64 KiB")) {
            awaitUp(weir, true);
            List<Future<Integer>> asked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Random random = new Random(i);
                asked.add(clients.submit(() -> askUntil(ended, weir, random)));
            }
            awaitMore(weir, "hit");
            history.redis.kill();
            awaitUp(weir, false);
            history.redis.restart();
            awaitUp(weir, true);
            awaitMore(weir, "hit");
            history.relay.delay(500);
            awaitUp(weir, false);
            history.relay.delay(0);
            awaitUp(weir, true);
            awaitMore(weir, "hit");
            ended.set(true);
            for (Future<Integer> one : asked) {
                assertThat(one.get(20, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            ended.set(true);
            clients.shutdown();
        }
    }

    @Test
    void resultsThatAFullRedisRejectedAreStoredOnceItHasCapacity() {
        HistoryCalls blocks = history.calls.of("eth_getBlockByHash", false);
        HistoryCalls first = blocks.part(0, blocks.size() / 2);
        HistoryCalls second = blocks.part(blocks.size() / 2, blocks.size());
        try (WeirProcess weir = history.weir("16 MiB")) {
            awaitUp(weir, true);
            first.askAll(weir);
            await().until(() -> stored(weir) >= first.size());
            history.inRedis(commands -> commands.configSet("maxmemory", "1"));
            second.askAll(weir);
            await().untilAsserted(() -> assertThat(status(weir)).contains("it refused (OOM) to store"));
            assertThat(stored(weir)).isEqualTo(first.size());
            history.inRedis(commands -> commands.configSet("maxmemory", "0"));
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        purge(weir);
                        second.askAll(weir);
                        return stored(weir) > first.size();
                    });
            await().untilAsserted(() -> assertThat(status(weir)).doesNotContain("refused"));
        }
    }

    private int askUntil(AtomicBoolean ended, WeirProcess weir, Random random) {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        int asked = 0;
        while (!ended.get()) {
            history.calls.askOne(client, random);
            asked++;
        }
        return asked;
    }

    private static void awaitMore(WeirProcess weir, String outcome) {
        double before = lookups(weir, outcome);
        await().atMost(Duration.ofSeconds(60)).until(() -> lookups(weir, outcome) > before);
    }
}
