package io.weir.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.ResourceLeakDetector;
import io.weir.app.bounds.HostileBodies.Body;
import io.weir.app.start.Proxy;
import io.weir.app.start.Startup;
import io.weir.testing.ConfigurationText;
import io.weir.testing.RawNode;
import io.weir.testing.Runs;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cost of one body for the event loop that reads it, in CPU time: never much more than a plain body of its size.
 */
final class LoopTimeIT {

    /** How much more than a plain body of the same size a body may cost. */
    private static final int MAX_RATIO = 40;

    /** Bodies whose first run costs less than this many plain ones are not measured again. */
    private static final int SUSPECT_RATIO = 20;

    private static final int RUNS = 9;
    private static final int WARM_UPS = 20;
    private static final int WARM_UP_ROUNDS = Runs.isThorough() ? 3 : 1;
    private static final int SHOWN = 25;

    /** Part of the names of the bodies to send, for those who look into one kind. */
    private static final String ONLY = System.getProperty("weir.bounds.only", "");

    /** One of so many large bodies is sent. */
    private static final int SHARE = Runs.number("weir.bounds.share", 50, 1);

    private static final int MAX_BODY = 5 << 20;
    /** The size of large bodies; with the profile {@code thorough} the largest one that is read. */
    private static final int LARGE = Runs.isThorough() ? MAX_BODY - 1_000 : 1 << 20;

    /** The size of bodies that are all sent: work that is not linear shows from here on. */
    private static final int SMALLER = Runs.isThorough() ? 128 << 10 : 32 << 10;

    private static final int BATCH_BODY = Runs.isThorough() ? 4 << 20 : 1 << 20;
    private static final int LARGE_CALL = 2 << 10;
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+|\"[^\"]*\")");
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(MAX_BODY)
                            .build())
                    .build())
            .build();

    private static TestChain chain;
    /** An answer that ends any call at once. */
    private static final String REVERTED = "\"error\":{\"code\":3,\"message\":\"execution reverted\"}";

    private static RawNode node;
    private static Proxy proxy;
    private static CallSocket socket;
    private static long loopThread;
    private static HostileBodies bodies;
    private static ResourceLeakDetector.Level leakDetection;

    @TempDir
    private static Path folder;

    /** The cost of a body relative to a plain one of its size. */
    private record Cost(String name, int bytes, double ratio) {
        @Override
        public String toString() {
            return String.format("%6.1f  %9d bytes  %s", ratio, bytes, name);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        leakDetection = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        chain = new TestChain(13, new SignedTransactions(), TestChain.Memory.REMEMBERS);
        chain.mine(3);
        chain.mineOf(400);
        chain.mine(80);
        chain.finalize(70);
        node = new RawNode(connection -> {
            while (true) {
                connection.answer(
                        "200 OK\r\ncontent-type: application/json",
                        answer(connection.read().body()));
            }
        });
        Path file = folder.resolve("weir.conf");
        Files.writeString(
                file,
                ConfigurationText.of("main", Long.toString(SignedTransactions.CHAIN_ID))
                        .upstream("node", "http://127.0.0.1:" + node.port())
                        .setting("server { threads = 1, calls-in-flight = 20000 }")
                        .networkSetting("methods.allow = [\"*\"]")
                        .networkSetting("verify = off")
                        .text());
        proxy = new Startup(file, null).start();
        loopThread = loopThread();
        socket = new CallSocket(URI.create(proxy.url()).getPort());
        String block = '"' + chain.state().at(4).hash() + '"';
        bodies = new HostileBodies(block);
        cache(block);
        warmUp();
    }

    @AfterAll
    static void stop() throws IOException {
        ResourceLeakDetector.setLevel(leakDetection);
        if (socket != null) {
            socket.close();
        }
        if (proxy != null) {
            proxy.close();
        }
        if (node != null) {
            node.close();
        }
    }

    /** Large calls get one small answer: a node that reads them would be busy for longer than the proxy. */
    private static String answer(String body) {
        if (body.length() < LARGE_CALL || body.charAt(0) == '[') {
            JsonNode request = JSON.readTree(body);
            return request.isArray()
                    ? request.valueStream().map(LoopTimeIT::one).collect(Collectors.joining(",", "[", "]"))
                    : one(request);
        }
        Matcher id = ID.matcher(body);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + (id.find() ? id.group(1) : "null") + "," + REVERTED + "}";
    }

    private static String one(JsonNode call) {
        String method = call.path("method").asString();
        String member;
        try {
            member = ChainAnswers.answer(chain.state(), method, call.path("params"))
                    .member();
        } catch (RuntimeException e) {
            member = REVERTED;
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + member + "}";
    }

    private static long loopThread() {
        List<Thread> loops = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("weir-loop"))
                .toList();
        assertThat(loops).hasSize(1);
        return loops.get(0).getId();
    }

    /** Asks for the logs of the block until they come out of the cached receipts. */
    private static void cache(String block) {
        await().until(() -> {
            socket.post(HostileBodies.call("eth_getBlockByHash", "[" + block + ",true]"));
            socket.post(HostileBodies.call("eth_getBlockReceipts", "[" + block + "]"));
            return socket.post(HostileBodies.call("eth_getLogs", "[{\"blockHash\":" + block + "}]"))
                    .contains("detail=derived");
        });
    }

    private static void warmUp() {
        for (int i = 0; i < WARM_UPS; i++) {
            cost(HostileBodies.plain(LARGE));
            cost(HostileBodies.plain(SMALLER));
        }
        List<Body> all = bodies.all(SMALLER, 1);
        Random random = new Random(1);
        for (int i = 0; i < WARM_UP_ROUNDS * all.size(); i++) {
            cost(all.get(random.nextInt(all.size())).json());
        }
    }

    /** The loop's CPU time for one body, up to its answer and what is tidied up behind it. */
    private static long cost(byte[] body) {
        long before = cpuNanos();
        socket.post(body);
        socket.post(HostileBodies.call("eth_chainId", "[]"));
        return cpuNanos() - before;
    }

    private static long cpuNanos() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getThreadCpuTime(loopThread);
    }

    private static double median(byte[] body) {
        return new Random(1)
                .longs(RUNS)
                .map(i -> cost(body))
                .sorted()
                .skip(RUNS / 2)
                .findFirst()
                .orElseThrow();
    }

    private static void assertCheap(List<Body> all) {
        List<Cost> costs = new ArrayList<>();
        double plain = median(HostileBodies.plain(all.get(0).size()));
        for (Body body : all) {
            if (!body.name().contains(ONLY)) {
                continue;
            }
            byte[] json = body.json();
            assertThat(json.length).as(body.name()).isLessThanOrEqualTo(MAX_BODY);
            double ratio = cost(json) / plain;
            if (ratio > SUSPECT_RATIO) {
                ratio = median(json) / median(HostileBodies.plain(body.size()));
            }
            costs.add(new Cost(body.name(), json.length, ratio));
        }
        costs.sort(Comparator.comparingDouble(Cost::ratio).reversed());
        if (SHARE == 1) {
            costs.stream().limit(SHOWN).forEach(System.out::println);
        }
        assertThat(costs.stream().filter(cost -> cost.ratio() > MAX_RATIO))
                .as("bodies that cost more than %d times a plain one, which takes %.2f ms", MAX_RATIO, plain / 1e6)
                .isEmpty();
    }

    @Test
    void noLargeBodyCostsMuchMoreThanAPlainOne() {
        assertCheap(bodies.all(LARGE, SHARE));
    }

    @Test
    void noBodyWithinTheBoundsCostsMuchMoreThanAPlainOne() {
        assertCheap(bodies.all(SMALLER, 1));
    }

    @Test
    void noParameterOfAMethodOfTheCatalogueCostsMuchMoreThanAPlainOne() {
        assertCheap(bodies.ofCatalogue(SMALLER));
    }

    @Test
    void noBatchCostsMuchMoreThanAPlainBody() {
        assertCheap(bodies.batches(BATCH_BODY, SHARE));
    }
}
