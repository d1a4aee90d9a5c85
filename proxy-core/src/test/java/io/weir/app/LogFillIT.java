package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.app.LogFill.Answer;
import io.weir.app.LogFill.Outcome;
import io.weir.app.LogFill.Range;
import io.weir.testing.Checkout;
import io.weir.testing.FreePorts;
import io.weir.testing.MarkdownBlocks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code logs fill} at a proxy whose answers are scripted: the calls that it makes, and how it understands answers. */
class LogFillIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String COMPLETE = "Weir-Logs: complete";
    private static final String HIT = "Cache-Status: weir; hit; detail=derived";
    private static final String TIMES = "Server-Timing: total;dur=1.2";
    private static final Pattern FILTER =
            Pattern.compile("\"params\":\\[\\{\"fromBlock\":\"(0x\\w+)\",\"toBlock\":\"(0x\\w+)\"}]");

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private String finalized = "0x1000000";
    private Function<Range, Script> logs = blocks -> new Script(200, "{\"result\":[]}", COMPLETE, HIT);

    /** An answer. */
    private record Script(int status, String body, String... headers) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String call = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(exchange.getRequestURI() + " " + call);
        headers.add(Map.copyOf(exchange.getRequestHeaders()));
        Matcher filter = FILTER.matcher(call);
        Script script = !exchange.getRequestURI().getPath().equals("/mainnet")
                ? new Script(404, "no such network\n")
                : filter.find()
                        ? logs.apply(Range.of(Long.decode(filter.group(1)), Long.decode(filter.group(2))))
                        : new Script(200, "{\"result\":{\"number\":\"" + finalized + "\"}}");
        for (String header : script.headers()) {
            String[] parts = header.split(": ", 2);
            exchange.getResponseHeaders().add(parts[0], parts[1]);
        }
        byte[] body = script.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(script.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private LogsClient client(String key) {
        return new LogsClient(URI.create(url() + "/mainnet"), key, PATIENCE);
    }

    private Answer answer(Script script) {
        logs = blocks -> script;
        return client(null).logs(Range.of(64, 127));
    }

    private CommandLineRun fill(String options) {
        return CommandLineRun.of(("logs fill " + options).replace("URL", url()).split(" "));
    }

    private static String error(int code, String message) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}}";
    }

    @Test
    void allBlocksAreAskedForInAlignedPiecesWithTheDemandForAProof() {
        CommandLineRun run = fill("mainnet --url URL/ --from 0x64 --to 200");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.outLines())
                .containsExactly(
                        "blocks 100 to 200: 101",
                        "at most 303 calls to nodes, 1,212 units; about 15 s at 20 calls a second",
                        "complete: 100 to 200");
        String call = "/mainnet {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getLogs\",\"params\":[%s]}";
        assertThat(calls.subList(1, 4))
                .containsExactly(
                        call.formatted("{\"fromBlock\":\"0x64\",\"toBlock\":\"0x7f\"}"),
                        call.formatted("{\"fromBlock\":\"0x80\",\"toBlock\":\"0xbf\"}"),
                        call.formatted("{\"fromBlock\":\"0xc0\",\"toBlock\":\"0xc8\"}"));
        assertThat(headers.subList(1, 4))
                .allSatisfy(request -> assertThat(request)
                        .containsEntry("Weir-require", List.of("logs"))
                        .containsEntry("Content-type", List.of("application/json"))
                        .doesNotContainKey("Authorization"));
    }

    @Test
    void withoutALastBlockItEndsAtTheFinalizedOne() {
        finalized = "0x8f";
        assertThat(fill("mainnet --url URL --from 64").outLines()).endsWith("complete: 64 to 143");
        assertThat(calls.get(0)).contains("\"eth_getBlockByNumber\",\"params\":[\"finalized\",false]");
    }

    @Test
    void theKeyIsSentInItsHeaderAndNeverPrinted() {
        logs = blocks -> new Script(401, error(-32001, "invalid api key"));
        LogsClient client = client("s3cret");
        assertThat(client.logs(Range.of(0, 1)).toString()).doesNotContain("s3cret");
        assertThat(headers.get(0)).containsEntry("Authorization", List.of("Bearer s3cret"));
    }

    @Test
    void theConfigurationNamesTheAddressAndTheNetworks() throws IOException {
        Path config = Files.writeString(
                folder.resolve("weir.conf"), """
                networks.mainnet { chain-id = 1, upstreams.a.url = "http://127.0.0.1:1" }
                networks.sepolia { chain-id = 2, upstreams.a.url = "http://127.0.0.1:1" }
                default-network = mainnet
                server { host = "0.0.0.0", port = %d }
                access.anonymous = true
                plugins.path = []
                """.formatted(server.getAddress().getPort()));
        CommandLineRun run = fill("mainnet --from 1 --to 2 --config " + config);
        assertThat(run.outLines()).as(run.err()).endsWith("complete: 1 to 2");

        CommandLineRun unknown = fill("goerli --from 1 --to 2 --config " + config);
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.errLines()).startsWith("NETWORK: goerli (expected: one of mainnet, sepolia)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mainnet --url URL",
                "mainnet --url URL --from 1.5",
                "mainnet --url URL --from -1",
                "mainnet --url URL --from 0xg",
                "mainnet --url URL --from 5 --to 4",
                "mainnet --url URL --from 5 --to 0x1000001",
                "mainnet --url URL --from 0x1000001",
                "mainnet --url URL --from 5 --to 6 --rate 0",
                "mainnet --url ftp://127.0.0.1 --from 5 --to 6",
                "main|net --url URL --from 5 --to 6",
                "--url URL --from 5 --to 6"
            })
    void wrongUsageIsRefusedBeforeAnyLogsAreAskedFor(String options) {
        CommandLineRun run = fill(options);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Usage: weir logs fill");
        assertThat(calls).noneMatch(call -> call.contains("eth_getLogs"));
    }

    @Test
    void aNetworkThatTheProxyDoesNotServeIsOneLine() {
        CommandLineRun run = fill("goerli --url URL --from 1");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly(
                        "HTTP 404, no result from " + url()
                                + "/… (expected: the finalized block, from a proxy that serves the network with the key in WEIR_KEY)");
    }

    @Test
    void aProxyThatDoesNotRunIsOneLine() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "logs", "fill", "mainnet", "--from", "1", "--url", "http://127.0.0.1:" + FreePorts.next());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().startsWith("no whole answer from http://127.0.0.1:");
    }

    @Test
    void failuresAreListedAndTheExitCodeTellsOfThem() {
        logs = blocks -> blocks.from() == 64
                ? new Script(200, error(-32000, "the logs of block 70 are not proven to be complete\\u001b[2J"), TIMES)
                : new Script(200, "{\"result\":[]}", COMPLETE, HIT);
        CommandLineRun run = fill("mainnet --url URL --from 0 --to 191");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines())
                .endsWith(
                        "complete: 0 to 63",
                        "not complete: 64 to 127: the logs of block 70 are not proven to be complete [2J (-32000)",
                        "complete: 128 to 191");
    }

    @Test
    void itStopsAfterTwentyFailures() {
        logs = blocks -> new Script(200, "{\"result\":[]}", HIT);
        CommandLineRun run = fill("mainnet --url URL --from 0 --to 6399");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines())
                .endsWith("not complete: 0 to 1,279: no header Weir-Logs: complete", "not asked: 1,280 to 6,399");
        assertThat(calls).hasSize(21);
    }

    @Test
    void aPieceThatIsTooLargeIsHalved() {
        logs = blocks -> blocks.length() > 32
                ? new Script(200, error(-32000, "the result is larger than this proxy passes on"), HIT)
                : new Script(200, "{\"result\":[]}", COMPLETE, HIT);
        assertThat(fill("mainnet --url URL --from 0 --to 127").outLines()).endsWith("complete: 0 to 127");
        assertThat(calls).hasSize(1 + 2 * 3);
    }

    @Test
    void aBusyProxyIsAskedAgainWhenItSays() {
        logs = blocks -> calls.size() < 3
                ? new Script(429, error(-32005, "rate limit exceeded"), "Retry-After: " + 10 * calls.size())
                : new Script(200, "{\"result\":[]}", COMPLETE, HIT);
        List<Long> pauses = new ArrayList<>();
        AtomicLong nanos = new AtomicLong();
        LogFill fill = new LogFill(
                client(null)::logs,
                1,
                nanos::get,
                wait -> {
                    nanos.addAndGet(wait);
                    pauses.add(TimeUnit.NANOSECONDS.toSeconds(wait));
                },
                new PrintWriter(new StringWriter()));
        assertThat(fill.run(Range.of(0, 1), 3, 12)).isTrue();
        // Without headers about nodes, each answer counts as six calls to them, which fit the longer pauses.
        assertThat(pauses).containsExactly(10L, 20L);
    }

    @Test
    void callsAreEstimatedFromTheBlocksThatHaveLogs() {
        String log =
                "{\"address\":\"0x0\",\"topics\":[],\"data\":\"0x%s\",\"blockNumber\": \"0x%x\",\"logIndex\":\"0x0\"}";
        String large = "ab".repeat(1 << 20);
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":["
                + String.join(
                        ",",
                        log.formatted("", 64),
                        log.formatted(large, 64),
                        log.formatted("", 70),
                        log.formatted("", 71))
                + "]}";
        Script asked = new Script(200, body, COMPLETE, "Cache-Status: weir; fwd=uri-miss", TIMES + ", upstream;dur=1");
        assertThat(answer(asked)).isEqualTo(new Answer(Outcome.COMPLETE, "", 64 + 2 * 3, 0));
        assertThat(answer(new Script(200, body, COMPLETE)).calls()).isEqualTo(64 + 2 * 3);
        assertThat(answer(new Script(200, body, COMPLETE, HIT, TIMES)).calls()).isZero();
        assertThat(answer(new Script(200, body, COMPLETE, TIMES)).calls()).isZero();
        assertThat(answer(new Script(200, error(-32000, "no"), TIMES + ", upstream;dur=1"))
                        .calls())
                .isEqualTo(3 * 64);
    }

    @ParameterizedTest
    @CsvSource({
        "200, -32000, the logs of block 3 are not proven, FAILED",
        "200, -32000, the logs of more than 256 blocks must be proven: ask for fewer blocks, TOO_LARGE",
        "200, -32005, rate limit exceeded, LATER",
        "429, -32005, rate limit exceeded, LATER",
        "503, -32603, overloaded: no room for the answer, LATER",
        "401, -32001, invalid api key, REFUSED",
        "403, -32002, not permitted, REFUSED"
    })
    void errorsAreUnderstoodByStatusCodeAndText(int status, int code, String message, Outcome outcome) {
        Answer answer = answer(new Script(status, error(code, message), "Retry-After: 7"));
        assertThat(answer.outcome()).isEqualTo(outcome);
        assertThat(answer.words()).contains(message, "(" + code + ")");
        assertThat(answer.waitNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
    }

    @Test
    void plainTextOfABalancerIsUnderstoodByItsStatus() {
        assertThat(answer(new Script(502, "<html>")))
                .isEqualTo(new Answer(Outcome.LATER, "HTTP 502, no result", 192, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"result\":[{\"blockNumber\":\"0x1\"", "{\"result\":[],\"error\":{}}", "{}", "<html>", ""})
    void anAnswerThatIsNotWholeIsNone(String body) {
        assertThat(answer(new Script(200, body, COMPLETE)).outcome()).isNotEqualTo(Outcome.COMPLETE);
    }

    @Test
    void aSilentProxyIsAskedAgainLater() {
        logs = blocks -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Script(200, "");
        };
        LogsClient client = new LogsClient(URI.create(url() + "/mainnet"), null, Duration.ofMillis(50));
        Answer answer = client.logs(Range.of(0, 1));
        assertThat(answer.outcome()).isEqualTo(Outcome.LATER);
        assertThat(answer.words()).startsWith("no whole answer from").endsWith("TimeoutException");
    }

    @Test
    void theUrlMustBeOfHttp() {
        assertThatThrownBy(() -> new LogsClient(URI.create("ws://127.0.0.1"), null, PATIENCE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theCommandOfTheOperatorsGuideFills() {
        finalized = "0x10366ff";
        List<String> commands = MarkdownBlocks.of(Checkout.find().root().resolve("conf/README.md")).in("sh").stream()
                .filter(command -> command.contains("logs fill "))
                .toList();
        assertThat(commands).hasSize(1);
        String words = commands.get(0).replaceFirst(".*weir\\.jar ", "").replace("--config my.conf", "--url " + url());
        CommandLineRun run = CommandLineRun.of(words.split(" "));
        assertThat(run.outLines()).as(run.err()).endsWith("complete: 17,000,000 to 17,000,191");
        assertThat(run.exitCode()).isZero();
    }
}
