package io.weir.bench.load.work;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads meters of this proxy some times a second while others load it, and keeps the most of each. Thread-safe. */
final class AdminSampler implements AutoCloseable {

    /** Making the text of all meters takes the proxy a moment too. */
    private static final long MILLIS_BETWEEN = 500;

    private static final String IN_FLIGHT = "weir_bytes_in_flight";
    private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\"}";

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRequest request;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::sample, "sampler");
    private volatile double mostInFlight;
    private volatile double mostHeap;

    AdminSampler(int adminPort) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                .timeout(Duration.ofSeconds(5))
                .build();
        thread.setDaemon(true);
        thread.start();
    }

    private void sample() {
        try {
            do {
                String text = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                mostInFlight = Math.max(mostInFlight, value(text, IN_FLIGHT));
                mostHeap = Math.max(mostHeap, value(text, HEAP));
            } while (!ended.await(MILLIS_BETWEEN, TimeUnit.MILLISECONDS));
        } catch (IOException expected) {
            // The proxy was ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static double value(String text, String meter) {
        return text.lines()
                .filter(line -> line.startsWith(meter + " ") || line.startsWith(meter + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    double mostBytesInFlight() {
        return mostInFlight;
    }

    double mostHeapBytes() {
        return mostHeap;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
