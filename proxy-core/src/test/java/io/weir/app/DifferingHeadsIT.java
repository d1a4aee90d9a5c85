package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.KeepAliveConnection;
import io.weir.testing.traffic.MovingNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Two nodes whose heads differ and that take turns in being ahead, before many connections that ask for the head. */
final class DifferingHeadsIT {

    private static final int CONNECTIONS = 24;
    private static final int MOVES = 120;
    private static final int WIDEST = 10;
    private static final long ENOUGH = 3_000;
    private static final Pattern NUMBER = Pattern.compile("\"0x([0-9a-f]+)\"");
    private static final String ACCOUNT = "0x00000000000000000000000000000000deadbeef";
    private static final String[] CALLS = {
        JsonRpcClient.call("eth_blockNumber"),
        JsonRpcClient.call("eth_getBlockByNumber", "latest", false),
        JsonRpcClient.call("eth_getBalance", ACCOUNT, "latest")
    };

    private final long seed = new Random().nextLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong answers = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @Test
    void noConnectionEverSeesTheHeadGoBack() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (MovingNode first = MovingNode.start(1_000);
                MovingNode second = MovingNode.start(998);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("moving", "1")
                        .upstream("first", first.url())
                        .upstream("second", second.url())
                        .networkSetting("health.interval = 200 ms")
                        .networkSetting("head.max-age = 50 ms")
                        // The blocks of these nodes have no header from which their hash follows.
                        .networkSetting("verify = off")
                        .text())) {
            await().until(() -> weir.admin().health("moving", "first").equals("healthy")
                    && weir.admin().health("moving", "second").equals("healthy"));
            for (int i = 0; i < CONNECTIONS; i++) {
                Random random = new Random(seed + i);
                threads.execute(() -> ask(weir.port(), random));
            }
            move(first, second);
            await().atMost(Duration.ofSeconds(60)).until(() -> answers.get() > ENOUGH || !wrong.isEmpty());
            stop.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(wrong).as("seed " + seed).isEmpty();
            assertThat(first.answered()).as("calls at the first").isPositive();
            assertThat(second.answered()).as("calls at the second").isPositive();
            assertThat(weir.admin().metric("weir_head_refreshes_total", "outcome=\"went_back\""))
                    .as("seed " + seed)
                    .isZero();
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    /** Now one is ahead, now the other, by up to ten blocks; no node's own head ever sinks. */
    private void move(MovingNode first, MovingNode second) {
        Random random = new Random(seed);
        for (int i = 0; i < MOVES && wrong.isEmpty(); i++) {
            boolean turn = random.nextBoolean();
            MovingNode ahead = turn ? first : second;
            MovingNode behind = turn ? second : first;
            long highest = Math.max(ahead.head(), behind.head()) + random.nextInt(3);
            behind.moveTo(Math.max(behind.head(), highest - random.nextInt(WIDEST + 1)));
            ahead.moveTo(Math.max(highest, behind.head()));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5 + random.nextInt(40)));
        }
    }

    private void ask(int port, Random random) {
        try (KeepAliveConnection connection = new KeepAliveConnection(port)) {
            long seen = 0;
            while (!stop.get() && wrong.isEmpty()) {
                String call = CALLS[random.nextInt(CALLS.length)];
                String answer = connection.post(call);
                Matcher number = NUMBER.matcher(answer.substring(answer.indexOf("\"result\"") + 1));
                if (!answer.contains("\"result\"") || !number.find()) {
                    wrong.add(call + ": " + answer);
                    return;
                }
                long block = Long.parseLong(number.group(1), 16);
                if (block < seen) {
                    wrong.add(call + ": " + block + " after " + seen);
                }
                seen = block;
                answers.incrementAndGet();
            }
        } catch (IOException e) {
            wrong.add(e.toString());
        }
    }
}
