package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.admin.Reload.Cause;
import io.weir.admin.Reload.Outcome;
import io.weir.admin.Reload.Result;
import io.weir.config.load.ConfigChanges;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReloadThreadTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger reloads = new AtomicInteger();
    private final ConfigReload.ReloadThread thread =
            new ConfigReload.ReloadThread(this::reload, cause -> result(Outcome.ABANDONED, cause));

    private Result reload(Cause cause) {
        reloads.incrementAndGet();
        begun.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return result(Outcome.APPLIED, cause);
    }

    private static Result result(Outcome outcome, Cause cause) {
        return new Result(outcome, cause, Instant.EPOCH, ConfigChanges.NONE, List.of());
    }

    private static CompletableFuture<Result> future(CompletionStage<Result> stage) {
        return stage.toCompletableFuture();
    }

    @AfterEach
    void end() {
        mayEnd.countDown();
        thread.close();
    }

    @Test
    void requestsThatWaitTogetherAreOneReload() throws Exception {
        CompletionStage<Result> running = thread.request(Cause.SIGNAL);
        begun.await();
        CompletionStage<Result> next = thread.request(Cause.OPERATION);
        CompletionStage<Result> joined = thread.request(Cause.SIGNAL);
        mayEnd.countDown();
        assertThat(future(running).get().cause()).isEqualTo(Cause.SIGNAL);
        assertThat(future(next).get().cause()).isEqualTo(Cause.OPERATION);
        assertThat(future(joined).get()).isSameAs(future(next).get());
        assertThat(reloads).hasValue(2);
    }

    @Test
    void aShutdownEndsTheReloadThatHasBegunAndAbandonsTheOneThatWaits() throws Exception {
        CompletionStage<Result> running = thread.request(Cause.FILES);
        begun.await();
        CompletionStage<Result> waiting = thread.request(Cause.OPERATION);
        Thread closing = new Thread(thread::close);
        closing.start();
        assertThat(future(waiting).get()).isEqualTo(result(Outcome.ABANDONED, Cause.OPERATION));
        assertThat(future(running)).isNotDone();
        mayEnd.countDown();
        closing.join();
        assertThat(future(running)).isCompletedWithValue(result(Outcome.APPLIED, Cause.FILES));
        assertThat(reloads).hasValue(1);
    }

    @Test
    void eachRequestAfterAShutdownIsAbandoned() {
        thread.close();
        for (Cause cause : Cause.values()) {
            assertThat(future(thread.request(cause))).isCompletedWithValue(result(Outcome.ABANDONED, cause));
        }
        assertThat(reloads).hasValue(0);
    }

    @Test
    void eachRequestDuringAShutdownHasAResult() throws Exception {
        mayEnd.countDown();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(thread::close);
        while (!closed.isDone()) {
            CompletableFuture<Result> asked = future(thread.request(Cause.OPERATION));
            await().until(asked::isDone);
        }
        closed.get();
    }

    @Test
    void timersEndWithAShutdown() {
        AtomicInteger runs = new AtomicInteger();
        thread.schedule(runs::incrementAndGet, 60_000);
        thread.schedule(runs::incrementAndGet, 0);
        await().until(() -> runs.get() == 1);
        thread.close();
        assertThat(runs).hasValue(1);
    }
}
