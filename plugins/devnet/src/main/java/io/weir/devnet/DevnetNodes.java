package io.weir.devnet;

import io.weir.api.LocalNode;
import io.weir.api.UpstreamProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens {@code devnet:default}. All nodes stand on one chain, which begins to be made with the first of them, in the
 * background, and gets live blocks as long as one is open. Thread-safe.
 */
final class DevnetNodes implements UpstreamProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DevnetNodes.class);
    private static final String ADDRESS = "default";

    private final DevnetSettings settings;
    private final InstantSource clock;
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private @Nullable CompletableFuture<Devnet> devnet;
    /** Ends when the chain has been made, and the calls that waited for it have been answered. */
    private CompletableFuture<Void> making = CompletableFuture.completedFuture(null);

    private @Nullable ScheduledFuture<?> mining;
    private int open;

    DevnetNodes(DevnetSettings settings, InstantSource clock, Executor executor, ScheduledExecutorService scheduler) {
        this.settings = settings;
        this.clock = clock;
        this.executor = executor;
        this.scheduler = scheduler;
    }

    @Override
    public String scheme() {
        return "devnet";
    }

    @Override
    public synchronized LocalNode open(String address) {
        if (!address.equals(ADDRESS)) {
            throw new IllegalArgumentException("devnet:" + address + " (expected: devnet:" + ADDRESS + ")");
        }
        CompletableFuture<Devnet> shared = devnet;
        if (shared == null) {
            // Signing and hashing the history takes a good part of a second, for which the proxy need not wait.
            CompletableFuture<Devnet> awaited = new CompletableFuture<>();
            making = CompletableFuture.runAsync(() -> make(awaited), executor);
            devnet = awaited;
            shared = awaited;
        }
        if (open++ == 0) {
            mining = startMining(shared);
        }
        return new DevnetNode(shared, this::closeOne);
    }

    /** Stops making blocks, whatever is open, and waits for the history: no code of the plugin runs once it is closed. */
    void close() {
        CompletableFuture<Void> begun;
        synchronized (this) {
            stop();
            begun = making;
        }
        begun.join();
    }

    private void make(CompletableFuture<Devnet> awaited) {
        try {
            awaited.complete(new Devnet(settings, clock));
        } catch (RuntimeException | Error e) {
            awaited.completeExceptionally(e);
        }
    }

    private synchronized void stop() {
        if (mining != null) {
            mining.cancel(false);
            mining = null;
        }
    }

    private ScheduledFuture<?> startMining(CompletableFuture<Devnet> shared) {
        Duration time = settings.blockTime();
        return scheduler.scheduleAtFixedRate(
                () -> mine(shared), time.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A failure may not leave this task: the scheduler would never run it again. */
    private static void mine(CompletableFuture<Devnet> devnet) {
        if (!devnet.isDone()) {
            return;
        }
        try {
            devnet.join().mine();
        } catch (RuntimeException e) {
            LOG.error("The devnet could not make a block", e);
        }
    }

    private synchronized void closeOne() {
        if (--open == 0) {
            stop();
        }
    }
}
