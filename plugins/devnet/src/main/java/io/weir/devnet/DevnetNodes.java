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
 * Opens {@code devnet:default}. All nodes stand on one chain, which begins to be made with their first call, and gets
 * live blocks as long as one is open. Thread-safe.
 */
final class DevnetNodes implements UpstreamProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DevnetNodes.class);
    private static final String ADDRESS = "default";

    private final Duration blockTime;
    private final InstantSource clock;
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private @Nullable CompletableFuture<Devnet> devnet;
    /** Ends when the chain has been made, and the calls that waited for it have been answered. */
    private CompletableFuture<Void> making = CompletableFuture.completedFuture(null);

    private @Nullable ScheduledFuture<?> mining;
    private int open;

    DevnetNodes(Duration blockTime, InstantSource clock, Executor executor, ScheduledExecutorService scheduler) {
        this.blockTime = blockTime;
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
        if (open++ == 0) {
            mining = startMining();
        }
        return new DevnetNode(this::devnet, this::closeOne);
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

    /** Signing and hashing the history takes a good part of a second, for which a proxy that starts need not wait. */
    private synchronized CompletableFuture<Devnet> devnet() {
        CompletableFuture<Devnet> known = devnet;
        if (known == null) {
            CompletableFuture<Devnet> awaited = new CompletableFuture<>();
            making = CompletableFuture.runAsync(() -> make(awaited), executor);
            devnet = awaited;
            known = awaited;
        }
        return known;
    }

    private void make(CompletableFuture<Devnet> awaited) {
        try {
            awaited.complete(new Devnet(clock));
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

    private ScheduledFuture<?> startMining() {
        long millis = blockTime.toMillis();
        return scheduler.scheduleAtFixedRate(this::mine, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A failure may not leave this task: the scheduler would never run it again. */
    private void mine() {
        CompletableFuture<Devnet> known;
        synchronized (this) {
            known = devnet;
        }
        if (known == null || !known.isDone()) {
            return;
        }
        try {
            known.join().mine();
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
