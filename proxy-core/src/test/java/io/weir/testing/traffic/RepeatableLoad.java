package io.weir.testing.traffic;

import io.weir.testing.AnvilNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Connections that ask what is safe to repeat, one question after the other, and judge every answer: of a chain with
 * nothing but its genesis, all answers are known. Ends by itself after a bounded number of calls. Thread-safe.
 */
public final class RepeatableLoad implements AutoCloseable {

    /** Most requests are one call, some a batch of two. */
    public static final int MAX_CALLS_IN_A_REQUEST = 2;

    private static final int MAX_REQUESTS_EACH = 50_000;
    private static final int MAX_FAILURES = 20;
    private static final String ZERO_SLOT = "\"result\":\"0x" + "0".repeat(64) + "\"";

    private final LongAdder answered = new LongAdder();
    private final List<String> failures = new ArrayList<>();
    private final CountDownLatch ended;
    private final String genesisHash;
    private volatile boolean stopping;

    private RepeatableLoad(int connections, String genesisHash) {
        this.ended = new CountDownLatch(connections);
        this.genesisHash = genesisHash;
    }

    /** Opens the connections, each on a thread of its own, and begins. */
    public static RepeatableLoad start(int port, int connections, String genesisHash) {
        RepeatableLoad load = new RepeatableLoad(connections, genesisHash);
        for (int i = 0; i < connections; i++) {
            int number = i;
            Thread thread = new Thread(() -> load.run(port, number), "load " + i);
            thread.setDaemon(true);
            thread.start();
        }
        return load;
    }

    /** Requests answered well so far. */
    public long answered() {
        return answered.sum();
    }

    /** What went wrong so far; the first {@value #MAX_FAILURES}. */
    public List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    /** Stops asking and waits for the last answers. */
    @Override
    public void close() {
        stopping = true;
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(int port, int number) {
        try (KeepAliveConnection connection = new KeepAliveConnection(port)) {
            for (int i = 0; i < MAX_REQUESTS_EACH && !stopping; i++) {
                ask(connection, number * MAX_REQUESTS_EACH + i);
            }
        } catch (IOException | RuntimeException e) {
            fail("connection " + number + ": " + e);
        } finally {
            ended.countDown();
        }
    }

    private void ask(KeepAliveConnection connection, int id) throws IOException {
        Question question = question(id);
        String answer = connection.post(question.body());
        if (answer.contains(question.expected()) && answer.contains("\"id\":" + id) && !answer.contains("\"error\"")) {
            answered.increment();
        } else {
            fail(question.body() + " -> " + answer);
        }
    }

    private Question question(int id) {
        String address = String.format("0x%040x", 0xdead_0000_0000L + id);
        return switch (id % 6) {
            case 0 -> one(id, "eth_getBalance", "\"" + address + "\",\"latest\"", "\"result\":\"0x0\"");
            case 1 ->
                one(
                        id,
                        "eth_getBalance",
                        "\"" + AnvilNode.RICH_ACCOUNT + "\",\"latest\"",
                        "\"result\":\"0x21e19e0c9bab2400000\"");
            case 2 -> one(id, "eth_getBlockByNumber", "\"0x0\",false", genesisHash);
            case 3 -> one(id, "eth_getStorageAt", "\"" + address + "\",\"0x0\",\"latest\"", ZERO_SLOT);
            case 4 -> one(id, "eth_getCode", "\"" + address + "\",\"latest\"", "\"result\":\"0x\"");
            default -> batch(id, address);
        };
    }

    private static Question batch(int id, String address) {
        Question first = one(id, "eth_getTransactionCount", "\"" + address + "\",\"latest\"", "\"result\":\"0x0\"");
        Question second = one(id, "eth_getStorageAt", "\"" + address + "\",\"0x1\",\"latest\"", ZERO_SLOT);
        return new Question("[" + first.body() + "," + second.body() + "]", second.expected());
    }

    private static Question one(int id, String method, String params, String expected) {
        String body =
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":[" + params + "]}";
        return new Question(body, expected);
    }

    private void fail(String text) {
        synchronized (failures) {
            if (failures.size() < MAX_FAILURES) {
                failures.add(text);
            }
        }
    }

    private record Question(String body, String expected) {}
}
