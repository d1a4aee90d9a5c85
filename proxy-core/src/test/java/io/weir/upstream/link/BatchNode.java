package io.weir.upstream.link;

import io.weir.testing.RawNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Node that answers each call with its own parameters. Batches get the test's answer, or by default all answers in reverse order.
 * Its first answer waits until the test releases it. Thread-safe.
 */
final class BatchNode implements AutoCloseable {

    private static final Pattern CALL =
            Pattern.compile("\"id\":(\\d+),\"method\":\"[^\"]*\",\"params\":(\\[[^\\]]*\\])");

    /** Received bodies. */
    final List<String> bodies = new CopyOnWriteArrayList<>();

    /** Releases the first answer. */
    final CountDownLatch goOn = new CountDownLatch(1);

    private final CountDownLatch firstArrived = new CountDownLatch(1);
    private final RawNode node;

    /** Answer to a batch. */
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

    /** Returns the answers to all calls in a body, as an array that begins with the answer to the last call. */
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
