package io.weir.plugin.call;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedCallTest {

    private static final int CALLS = 2_000;

    private final EventLoop loop = new DefaultEventLoop();
    private final PluginExecutor threads = new PluginExecutor("tested-", 2, 4, CALLS);
    private final Meters meters = new Meters(new MetricRegistry());
    private final PluginRuntime runtime = runtime("tested");

    private PluginRuntime runtime(String id) {
        return new PluginRuntime(
                threads.bulkhead(id, getClass().getClassLoader()),
                new Trees(100),
                new FailureLog(id),
                new EnumCounters<>(meters, Meter.PLUGIN_CALLS, PluginRuntime.Outcome.class, id));
    }

    @AfterEach
    void close() {
        threads.close();
        loop.shutdownGracefully(0, 1, SECONDS);
    }

    @Test
    void everyCallEndsOnceHoweverItsEndAndItsDeadlineMeet() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<AtomicInteger> endings =
                IntStream.range(0, CALLS).mapToObj(i -> new AtomicInteger()).toList();
        for (AtomicInteger ending : endings) {
            int how = random.nextInt(5);
            long workNanos = MICROSECONDS.toNanos(random.nextInt(300));
            long deadline = System.nanoTime() + MICROSECONDS.toNanos(random.nextInt(20_000));
            loop.execute(() -> new GuardedCall<>(
                            runtime,
                            loop,
                            work(() -> behave(how, workNanos)),
                            () -> deadline,
                            ended -> ending.incrementAndGet())
                    .begin());
        }
        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(endings).as("seed " + seed).allMatch(ending -> ending.get() == 1));
        await().untilAsserted(() ->
                assertThat(runtime.bulkhead().calls()).as("seed " + seed).isZero());
        assertThat(endings).as("seed " + seed).allMatch(ending -> ending.get() == 1);
    }

    private static @Nullable CompletionStage<String> behave(int how, long nanos) {
        LockSupport.parkNanos(nanos);
        return switch (how) {
            case 0 -> CompletableFuture.completedFuture("now");
            case 1 -> CompletableFuture.supplyAsync(() -> "elsewhere");
            case 2 -> new CompletableFuture<>();
            case 3 -> null;
            default -> throw new StackOverflowError();
        };
    }

    @Test
    void aCallThatWaitsPastItsDeadlineNeverEntersThePlugin() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            runtime.bulkhead().execute(() -> awaitQuietly(free));
        }
        AtomicInteger entered = new AtomicInteger();
        CompletableFuture<Ending<String>> ending = new CompletableFuture<>();
        long deadline = System.nanoTime() + MICROSECONDS.toNanos(1_000);
        loop.execute(() -> new GuardedCall<>(
                        runtime,
                        loop,
                        work(() -> CompletableFuture.completedFuture("entered " + entered.incrementAndGet())),
                        () -> deadline,
                        ending::complete)
                .begin());
        assertThat(ending.get(60, SECONDS)).isEqualTo(new Ending.Late<String>(false));
        runtime.count(ending.get());
        assertThat(meters.counter(Meter.PLUGIN_CALLS, "tested", "rejected").getCount())
                .isEqualTo(1);
        assertThat(runtime.bulkhead().calls()).isZero();
        free.countDown();
        CountDownLatch after = new CountDownLatch(1);
        runtime.bulkhead().execute(after::countDown);
        assertThat(after.await(60, SECONDS)).isTrue();
        assertThat(entered).hasValue(0);
    }

    @Test
    void oneBulkheadNeverTakesMoreThanItsOwnThreadAndHalfOfTheOthers() throws Exception {
        PluginRuntime other = runtime("other");
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            runtime.bulkhead().execute(() -> {
                running.incrementAndGet();
                awaitQuietly(free);
            });
        }
        await().untilAsserted(() -> assertThat(running).hasValue(2));
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            other.bulkhead().execute(() -> {
                both.countDown();
                awaitQuietly(both);
            });
        }
        assertThat(both.await(60, SECONDS)).isTrue();
        assertThat(running).hasValue(2);
        free.countDown();
        await().untilAsserted(() -> assertThat(running).hasValue(10));
    }

    @Test
    void callersTakeTurnsHoweverManyCallsOneOfThemHas() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        // One thread alone, so that the order is that of the turns.
        runtime.bulkhead().execute(() -> awaitQuietly(end));
        runtime.bulkhead().execute(() -> awaitQuietly(free));
        for (int i = 0; i < 100; i++) {
            assertThat(runtime.bulkhead().enter("crowd", () -> order.add("crowd")))
                    .isTrue();
        }
        assertThat(runtime.bulkhead().enter("other", () -> order.add("other"))).isTrue();
        runtime.bulkhead().continueCall("other", () -> order.add("other goes on"));
        free.countDown();
        await().untilAsserted(() -> assertThat(order).hasSize(102));
        assertThat(order.subList(0, 8)).contains("other", "other goes on");
        end.countDown();
    }

    @Test
    void oneCallerLeavesRoomForOthers() {
        CountDownLatch free = new CountDownLatch(1);
        runtime.bulkhead().execute(() -> awaitQuietly(free));
        runtime.bulkhead().execute(() -> awaitQuietly(free));
        int places = CALLS + 4;
        int taken = 0;
        while (runtime.bulkhead().enter("crowd", () -> {})) {
            taken++;
        }
        assertThat(taken).isBetween(places * 8 / 9, places * 8 / 9 + 1);
        for (int i = 0; i < places / 20; i++) {
            assertThat(runtime.bulkhead().enter("other", () -> {})).isTrue();
        }
        for (int i = 0; i < taken; i++) {
            runtime.bulkhead().leave("crowd");
        }
        assertThat(runtime.bulkhead().enter("crowd", () -> {})).isTrue();
        free.countDown();
    }

    @Test
    void theDeadlinesInterruptFreesAThreadThatWaits() throws Exception {
        CompletableFuture<Ending<String>> ending = new CompletableFuture<>();
        CountDownLatch interrupted = new CountDownLatch(1);
        // The work must have begun by then.
        long deadline = System.nanoTime() + SECONDS.toNanos(3);
        loop.execute(() -> new GuardedCall<String, String>(
                        runtime,
                        loop,
                        work(() -> {
                            try {
                                new CountDownLatch(1).await();
                            } finally {
                                interrupted.countDown();
                            }
                            return null;
                        }),
                        () -> deadline,
                        ending::complete)
                .begin());
        assertThat(ending.get(60, SECONDS)).isEqualTo(new Ending.Late<String>(true));
        assertThat(interrupted.await(60, SECONDS)).isTrue();
        await().untilAsserted(() -> assertThat(runtime.bulkhead().calls()).isZero());
    }

    @Test
    void aCallThatGoesOnWithoutEndIsBoundedAndLeavesRoomForOthers() {
        CountDownLatch free = new CountDownLatch(1);
        runtime.bulkhead().execute(() -> awaitQuietly(free));
        runtime.bulkhead().execute(() -> awaitQuietly(free));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 3 * CALLS; i++) {
                        runtime.bulkhead().continueCall("crowd", () -> {});
                    }
                })
                .isInstanceOf(RejectedExecutionException.class);
        runtime.bulkhead().continueCall("other", () -> {});
        assertThat(runtime.bulkhead().enter("other", () -> {})).isTrue();
        free.countDown();
    }

    private interface Behaviour {
        @Nullable
        CompletionStage<String> show() throws Exception;
    }

    private static GuardedCall.Work<String, String> work(Behaviour behaviour) {
        return new GuardedCall.Work<>() {
            @Override
            public String name() {
                return "the work";
            }

            @Override
            public @Nullable CompletionStage<String> enter() throws Exception {
                return behaviour.show();
            }

            @Override
            public String convert(@Nullable String value) {
                return String.valueOf(value);
            }
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
