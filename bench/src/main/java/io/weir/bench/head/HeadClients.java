package io.weir.bench.head;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients of the measured proxy, which count cached answers and note when they see a new block. Thread-safe. */
final class HeadClients {

    private static final Pattern NUMBER = Pattern.compile("\"result\":\"(0x[0-9a-f]+)\"");
    private static final String WATCHED = "\"0x00000000000000000000000000000000deadbeef\"";
    private static final int SIDE_CALLS = 5;
    private static final int MAX_OPEN = 128;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore open = new Semaphore(MAX_OPEN);
    private final URI proxy;
    private final CallMix mix;
    private final ScheduledExecutorService timers;
    private final Tally watched = new Tally();
    private final Tally others = new Tally();
    private final LongAdder failures = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private final AtomicLong transactions = new AtomicLong();
    private final Map<Integer, Long> seen = new TreeMap<>();

    /** Calls and those among them that the cache answered. */
    private static final class Tally {
        private final LongAdder asked = new LongAdder();
        private final LongAdder hits = new LongAdder();

        @Override
        public String toString() {
            double percent = 100.0 * hits.sum() / Math.max(1, asked.sum());
            return String.format(Locale.ROOT, "%d of %d (%.1f %%)", hits.sum(), asked.sum(), percent);
        }
    }

    HeadClients(URI proxy, CallMix mix, ScheduledExecutorService timers) {
        this.proxy = proxy;
        this.mix = mix;
        this.timers = timers;
    }

    /** Begins so many calls a second, one of them for the same balance at the head. */
    void start(int callsPerSecond) {
        if (callsPerSecond > 0) {
            every(1, () -> ask(CallMix.call("eth_getBalance", WATCHED + ",\"latest\""), watched));
        }
        if (callsPerSecond > 1) {
            every(callsPerSecond - 1, () -> ask(mix.next(), others));
        }
    }

    /** Begins transactions, every second one of them refused, and as many calls of a method outside the catalogue. */
    void startSideCalls() {
        every(SIDE_CALLS, () -> {
            long number = transactions.incrementAndGet();
            String unsigned = "{\"from\":%s,\"to\":%s,\"value\":\"0x1\"}".formatted(WATCHED, WATCHED);
            send(number % 2 == 0 ? signed(number) : CallMix.call("eth_sendTransaction", unsigned), response -> {});
        });
        String unknown = CallMix.call("alchemy_getTokenBalances", WATCHED);
        every(SIDE_CALLS, () -> send(unknown, response -> {}));
    }

    /** Begins so many signed transactions a second, all of which nodes refuse. */
    void startRefused(int perSecond) {
        if (perSecond > 0) {
            every(perSecond, () -> send(signed(transactions.incrementAndGet()), response -> {}));
        }
    }

    /** Begins questions for the head at these intervals. */
    void startSamples(long millis) {
        String call = CallMix.call("eth_blockNumber", "");
        timers.scheduleAtFixedRate(() -> send(call, this::sampled), 0, millis, TimeUnit.MILLISECONDS);
    }

    /** Returns when clients saw each new block first, on the clock of {@link System#nanoTime}. */
    synchronized Map<Integer, Long> seen() {
        return new TreeMap<>(seen);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "hits: %s for the same balance, %s others; failures: %d; not sent: %d",
                watched,
                others,
                failures.sum(),
                unsent.sum());
    }

    private static String signed(long number) {
        return CallMix.call("eth_sendRawTransaction", "\"0x%08x\"".formatted(number));
    }

    private void every(int perSecond, Runnable call) {
        timers.scheduleAtFixedRate(call, 0, TimeUnit.SECONDS.toMicros(1) / perSecond, TimeUnit.MICROSECONDS);
    }

    private void ask(String call, Tally tally) {
        send(call, response -> {
            boolean hit =
                    response.headers().firstValue("Cache-Status").orElse("").contains("hit");
            tally.asked.increment();
            tally.hits.add(hit ? 1 : 0);
            failures.add(response.body().contains("\"result\"") ? 0 : 1);
        });
    }

    /** Sends a call unless too many are open: then the machine is too slow for this rate. */
    private void send(String call, Consumer<HttpResponse<String>> sink) {
        if (!open.tryAcquire()) {
            unsent.increment();
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(proxy)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(call))
                .build();
        client.sendAsync(request, BodyHandlers.ofString())
                .whenComplete((response, e) -> open.release())
                .thenAccept(sink);
    }

    private synchronized void sampled(HttpResponse<String> response) {
        Matcher number = NUMBER.matcher(response.body());
        if (number.find()) {
            seen.putIfAbsent(Integer.decode(number.group(1)), System.nanoTime());
        }
    }
}
