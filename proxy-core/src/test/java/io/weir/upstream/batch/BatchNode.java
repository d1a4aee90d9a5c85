package io.weir.upstream.batch;

import io.weir.upstream.wire.RawNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A node that answers each call with its own parameters, and batches as a test says, in the reverse order where it says nothing.
 * Its first answer waits until the test lets it go. Thread-safe.
 */
final class BatchNode implements AutoCloseable {

    private static final Pattern CALL =
            Pattern.compile("\"id\":(\\d+),\"method\":\"[^\"]*\",\"params\":(\\[[^\\]]*\\])");

    /** The bodies that came. */
    final List<String> bodies = new CopyOnWriteArrayList<>();

    /** Lets the first answer go. */
    final CountDownLatch goOn = new CountDownLatch(1);

    private final CountDownLatch firstArrived = new CountDownLatch(1);
    private final RawNode node;

    /** What a batch is answered with. */
    interface Script {
        void answer(RawNode.Connection connection, RawNode.Request request) throws IOException;
    }

    BatchNode() throws IOException {
        this((connection, request) -> connection.answer("200 OK", results(request.body())));
    }

    BatchNode(Script script) throws IOException {
        node = new RawNode(connection -> {
            while (true) {
                RawNode.Request request = connection.read();
                bodies.add(request.body());
                firstArrived.countDown();
                goOn.await(30, TimeUnit.SECONDS);
                if (request.body().startsWith("[")) {
                    script.answer(connection, request);
                } else {
                    connection.answer("200 OK", results(request.body()).replaceAll("^\\[|\\]$", ""));
                }
            }
        });
    }

    String url() {
        return "http://127.0.0.1:" + node.port() + "/";
    }

    /** Waits for the first request, within a test's patience. */
    boolean awaitFirst() throws InterruptedException {
        return firstArrived.await(20, TimeUnit.SECONDS);
    }

    long batches() {
        return bodies.stream().filter(body -> body.startsWith("[")).count();
    }

    long singles() {
        return bodies.size() - batches();
    }

    /** The answers to all calls in a body, as an array that begins with the one to the last. */
    static String results(String body) {
        List<String> answers = new ArrayList<>();
        for (MatchResult call : CALL.matcher(body).results().toList()) {
            answers.add(0, "{\"jsonrpc\":\"2.0\",\"id\":" + call.group(1) + ",\"result\":" + call.group(2) + "}");
        }
        return "[" + String.join(",", answers) + "]";
    }

    @Override
    public void close() {
        goOn.countDown();
        node.close();
    }
}
