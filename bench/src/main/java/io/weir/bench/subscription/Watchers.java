package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.client.CheckedClient;
import io.weir.bench.subscription.client.ClientSocket;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.client.Kind;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Clients that check what they are told: some subscribe to heads and logs, others poll filters of them. Confined to one thread, except
 * {@link #renewOne} and {@link #poll}.
 */
final class Watchers implements AutoCloseable {

    private static final long SECONDS_TO_END = 30;

    private final KnownChain chain;
    private final Journal journal;
    private final EventLoopGroup loops;
    private final List<CheckedClient> clients = new ArrayList<>();

    /** Creates no clients. */
    Watchers(KnownChain chain, Journal journal, EventLoopGroup loops) {
        this.chain = chain;
        this.journal = journal;
        this.loops = loops;
    }

    /**
     * Connects clients and waits for their subscriptions and filters.
     *
     * @param subscribers the number of clients with subscriptions
     * @param pollers the number of clients with filters
     */
    void connect(URI proxy, int subscribers, int pollers, RandomGenerator random) throws InterruptedException {
        for (int i = 0; i < subscribers + pollers; i++) {
            boolean polls = i >= subscribers;
            CheckedClient client = new CheckedClient((polls ? "poller-" : "client-") + i, chain, journal, i % 4 == 0);
            client.add(polls ? Kind.BLOCK_FILTER : Kind.HEADS, LogFilter.ALL);
            client.add(polls ? Kind.LOG_FILTER : Kind.LOGS, i % 10 == 0 ? LogFilter.ALL : LogFilter.any(random));
            if (i % 3 == 0) {
                client.add(polls ? Kind.LOG_FILTER : Kind.LOGS, LogFilter.any(random));
            }
            clients.add(client);
            ClientSocket.open(loops, proxy, client);
        }
        CompletableFuture<?> all = CompletableFuture.allOf(
                clients.stream().map(CheckedClient::ready).toArray(CompletableFuture[]::new));
        try {
            all.get(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            journal.violated("not all subscriptions were opened: " + e);
        }
    }

    /** Polls all filters. Thread-safe once all clients are connected. */
    void poll() {
        clients.forEach(CheckedClient::poll);
    }

    /** Ends one subscription or filter of a client and opens the same anew. Thread-safe once all clients are connected. */
    void renewOne(RandomGenerator random) {
        clients.get(random.nextInt(clients.size())).renew(random.nextInt(4));
    }

    /** Waits until every client has heard all, of a chain that no longer grows. */
    void awaitAll() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        for (CheckedClient client : clients) {
            String missing = "never asked";
            while (!missing.isEmpty() && journal.violation() == null) {
                client.poll();
                missing = client.end(chain.head(), true)
                        .completeOnTimeout("no end", 5, TimeUnit.SECONDS)
                        .join();
                if (!missing.isEmpty() && System.nanoTime() > end) {
                    journal.violated(missing);
                } else if (!missing.isEmpty()) {
                    journal.awaitViolation(50);
                }
            }
        }
    }

    /** Returns what the clients were told, and how fast. */
    String figures() {
        var delays = journal.delays();
        return String.format(
                Locale.ROOT,
                "%d clients, %d notifications of %d blocks; from block to client: median %.1f ms, 99th percentile %.1f ms, "
                        + "longest %.1f ms",
                clients.size(),
                journal.notifications(),
                chain.head().number(),
                delays.getValueAtPercentile(50) / 1e3,
                delays.getValueAtPercentile(99) / 1e3,
                delays.getMaxValue() / 1e3);
    }

    @Override
    public void close() {
        clients.forEach(CheckedClient::close);
    }
}
