package io.weir.bench.subscription;

import io.weir.bench.subscription.client.Journal;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Tasks of a run that are repeated after random pauses until it ends. They run on one thread. Thread-safe. */
final class RandomTasks implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RandomGenerator random;
    private final Journal journal;
    private volatile boolean ending;

    /** Task that is repeated. */
    @FunctionalInterface
    interface Task {
        void run() throws IOException, InterruptedException;
    }

    /** Creates no tasks. */
    RandomTasks(RandomGenerator random, Journal journal) {
        this.random = random;
        this.journal = journal;
    }

    /** Returns the thread on which the tasks run. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /** Repeats a task after random pauses with a mean, until the end. */
    void every(long meanMillis, Task task) {
        long pause = meanMillis / 4 + random.nextLong(1 + meanMillis * 3 / 2);
        timer.schedule(
                () -> {
                    try {
                        if (!ending) {
                            task.run();
                            every(meanMillis, task);
                        }
                    } catch (IOException | RuntimeException e) {
                        journal.violated("the run itself: " + e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                pause,
                TimeUnit.MILLISECONDS);
    }

    /** Ends the tasks. Waits for what they have scheduled, such as the end of a fault. */
    void end() throws InterruptedException {
        ending = true;
        CompletableFuture.runAsync(() -> {}, timer).join();
        timer.shutdown();
        timer.awaitTermination(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
