package io.weir.bench;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.ProcessFigures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * The start of a proxy and its memory: time and processor time to the ready line, resident memory after 30 seconds at rest, right
 * after 2,000 calls, and 30 seconds later. Arguments: the number of starts, then the command that starts it. The configuration
 * is {@code conf/weir.conf}.
 */
public final class RestingMemory {

    private static final Pattern READY = Pattern.compile("JSON-RPC at (http://[^,]+),");
    private static final Duration REST = Duration.ofSeconds(30);
    private static final int CALLS = 2_000;
    private static final int BLOCKS = 129;
    private static final double MEGA = 1e6;
    private static final List<String> TITLES = List.of(
            "ms to the ready line",
            "ms of processor time to it",
            "MB resident after 30 s",
            "MB resident after 2,000 calls",
            "MB resident 30 s later");

    private RestingMemory() {}

    /** Prints the median, the lowest and the highest of each figure. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int starts = Integer.parseInt(arguments[0]);
        List<String> command = Arrays.asList(arguments).subList(1, arguments.length);
        double[][] figures = new double[starts][];
        for (int start = 0; start < starts; start++) {
            figures[start] = one(command);
        }
        for (int figure = 0; figure < TITLES.size(); figure++) {
            int of = figure;
            double[] sorted = Arrays.stream(figures)
                    .flatMapToDouble(row -> DoubleStream.of(row[of]))
                    .sorted()
                    .toArray();
            System.out.printf(
                    "%s: %.0f (%.0f to %.0f)%n", TITLES.get(of), sorted[starts / 2], sorted[0], sorted[starts - 1]);
        }
    }

    private static double[] one(List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("resting-memory", ".log");
        long begin = System.nanoTime();
        try (ChildProgram proxy = ChildProgram.awaitLine(command, READY, log)) {
            double millis = (System.nanoTime() - begin) / MEGA;
            ProcessFigures ready = proxy.figures();
            proxy.isAliveAfter(REST);
            ProcessFigures rested = proxy.figures();
            call(proxy.ready());
            ProcessFigures loaded = proxy.figures();
            proxy.isAliveAfter(REST);
            return new double[] {
                millis,
                ready.processorTime().toMillis(),
                rested.residentBytes() / MEGA,
                loaded.residentBytes() / MEGA,
                proxy.figures().residentBytes() / MEGA
            };
        } finally {
            Files.delete(log);
        }
    }

    private static void call(String ready) throws IOException, InterruptedException {
        Matcher address = READY.matcher(ready);
        if (!address.find()) {
            throw new IOException(ready + " (expected: " + READY + ")");
        }
        URI uri = URI.create(address.group(1) + "/v3/demo");
        HttpClient client = HttpClient.newHttpClient();
        for (int call = 0; call < CALLS; call++) {
            String body =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\",\"params\":[\"0x%x\",true]}"
                            .formatted(call % BLOCKS);
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != 200) {
                throw new IOException("status " + status + " (expected: 200)");
            }
        }
    }
}
