package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HttpConnection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plugins made outside the checkout, with javac and what the plugin API declares, behind the built proxy. */
final class OutsidePluginIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int HANGING_CALLS = 20;

    @TempDir
    private static Path scratch;

    private static Path configuration;
    private static WeirProcess weir;
    private static JsonRpcClient http;

    @BeforeAll
    static void buildAndStart() throws IOException {
        Path folder = Files.createDirectories(scratch.resolve("plugins"));
        OutsidePlugins.wellBehaved().jar(folder);
        OutsidePlugins.unruly().zip(folder);
        Path root = Checkout.find().root();
        String text = """
                include file("%s/conf/weir.conf")
                server { port = 0, call-timeout = 8 s }
                admin.port = 0
                plugins { path = ["%s/plugins", "%s"], data = "%s/data" }
                plugins.outside.greeting = Welcome
                access.keys.narrow { sha256 = "%s", methods = ["outside_*"] }
                """.formatted(root, root, folder, scratch, CommandLineRun.sha256("narrow"));
        configuration = Files.writeString(scratch.resolve("weir.conf"), text);
        weir = WeirProcess.start(text);
        http = new JsonRpcClient(weir.url());
    }

    @AfterAll
    static void stop() {
        if (weir != null) {
            weir.close();
        }
    }

    @Test
    void itsMethodIsServedOverHttpAndWebSocket() {
        assertThat(http.result("outside_greet", "world").stringValue()).isEqualTo("Welcome, world!");
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send(JsonRpcClient.call("outside_greet", "world"));
            assertThat(socket.await()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"Welcome, world!\"}");
        }
    }

    @Test
    void itsErrorsGoOutAsTheyAre() {
        JsonNode error = http.answer("outside_decline").required("error");
        assertThat(error.path("code").asInt()).isEqualTo(-40300);
        assertThat(error.path("message").asString()).isEqualTo("declined");
        assertThat(error.path("data").toString()).isEqualTo("[1]");
    }

    @Test
    void itCallsTheNetworkThroughTheProxy() {
        JsonNode head = http.result("outside_head");
        assertThat(head.get("hash"))
                .isEqualTo(http.result("eth_getBlockByNumber", "0x10", false).get("hash"));
        assertThat(head.get("caller").stringValue()).isEqualTo("demo");
        assertThat(head.get("network").stringValue()).isEqualTo("devnet");
    }

    @Test
    void itTakesTheCallersRightsButNotMore() {
        JsonRpcClient narrow = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/narrow");
        assertThat(narrow.answer("outside_head").at("/error/code").asInt()).isEqualTo(-32002);
        assertThat(narrow.result("outside_startHead").stringValue()).startsWith("0x");
    }

    @Test
    void aMethodOfTheNodesCanBeWrapped() {
        assertThat(http.result("net_version").stringValue()).isEqualTo("outside of 1337");
    }

    @Test
    void itsMetersAndCallsAreCounted() {
        http.result("outside_greet");
        assertThat(weir.admin().metric("weir_plugin_calls_total", "plugin=\"outside\"", "outcome=\"result\""))
                .isPositive();
        assertThat(weir.admin().metrics())
                .contains("# HELP weir_plugin_outside_size How large it is\n")
                .contains("\nweir_plugin_outside_size 7.0\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unruly_throw",
                "unruly_error",
                "unruly_null",
                "unruly_nullValue",
                "unruly_raw",
                "unruly_deep",
                "unruly_cast",
            })
    void aHandlerThatMisbehavesHarmsItsOwnCallOnly(String method) {
        HttpResponse<String> alone = http.post(JsonRpcClient.call(method));
        assertThat(alone.statusCode()).isEqualTo(200);
        assertBroken(JSON.readTree(alone.body()));

        String batch = "[" + JsonRpcClient.call("eth_chainId") + "," + JsonRpcClient.call(method) + ","
                + JsonRpcClient.call("outside_greet") + "]";
        JsonNode answers = JSON.readTree(http.post(batch).body());
        assertThat(answers.size()).isEqualTo(3);
        assertThat(answers.get(0).path("result").asString()).isEqualTo("0x539");
        assertBroken(answers.get(1));
        assertThat(answers.get(2).path("result").asString()).isEqualTo("Welcome, you!");
    }

    private static void assertBroken(JsonNode answer) {
        assertThat(answer.toString())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
                        + "{\"code\":-32603,\"message\":\"plugin unruly: internal error\"}}");
    }

    @Test
    void whileItsHandlersHangEverybodyElseIsAnswered() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> hanging = new ArrayList<>();
        for (int i = 0; i < HANGING_CALLS; i++) {
            hanging.add(http.postLater(JsonRpcClient.call(i % 2 == 0 ? "unruly_hang" : "unruly_forget")));
        }
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            for (int i = 0; i < 10; i++) {
                assertThat(http.result("eth_chainId").stringValue()).isEqualTo("0x539");
                socket.send(JsonRpcClient.call("outside_greet", "other"));
                assertThat(socket.await()).contains("\"result\":\"Welcome, other!\"");
            }
        }
        assertThat(hanging).noneMatch(CompletableFuture::isDone);
        for (CompletableFuture<HttpResponse<String>> call : hanging) {
            JsonNode answer = JSON.readTree(
                    call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body());
            assertThat(answer.at("/error/code").asInt()).isEqualTo(-32603);
            assertThat(answer.at("/error/message").asString()).startsWith("plugin unruly: ");
        }
        assertThat(http.answer("unruly_null").at("/error/code").asInt()).isEqualTo(-32603);
    }

    @Test
    void itsPagesAnswerOnTheAdminListener() {
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            for (String path : List.of("/plugins/outside", "/plugins/outside/")) {
                assertThat(admin.get(path).body()).isEqualTo("first page");
            }
            HttpConnection.Response notes = admin.get("/plugins/outside/notes/of/today?a=1&a=2");
            assertThat(notes.status()).isEqualTo(200);
            assertThat(notes.body()).isEqualTo("of/today {a=2} ");
            assertThat(notes.header("x-verb")).isEqualTo("GET");
            assertThat(notes.header("content-type")).isEqualTo("text/plain");
            assertThat(admin.get("/plugins/outsider").status()).isEqualTo(404);
            assertThat(admin.get("/plugins/unruly/notes").status()).isEqualTo(404);
            HttpConnection.Response put = admin.request("PUT", "/plugins/outside/notes", "");
            assertThat(put.status()).isEqualTo(405);
            assertThat(put.header("allow")).isEqualTo("GET, POST");
        }
    }

    @Test
    void aPostFromAForeignPageIsRejected() {
        String path = "/plugins/outside/notes";
        String own = "127.0.0.1:" + weir.adminPort();
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            for (String origin : List.of(
                    "http://evil.example",
                    "http://127.0.0.1:1",
                    "http://127.0.0.1",
                    "null",
                    "http://" + own + ".evil.example",
                    "file://")) {
                HttpConnection.Response refused = admin.request("POST", path, "x", "origin: " + origin);
                assertThat(refused.status()).as(origin).isEqualTo(403);
                assertThat(refused.header("x-verb")).isNull();
            }
            for (String header : List.of("origin: http://" + own, "x-no-origin: at all")) {
                HttpConnection.Response taken = admin.request("POST", path, "told", header);
                assertThat(taken.status()).as(header).isEqualTo(200);
                assertThat(taken.body()).endsWith(" told");
                assertThat(taken.header("x-verb")).isEqualTo("POST");
            }
        }
    }

    @Test
    void aPageThatFailsSaysNothingOfItsInside() {
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            for (String page : List.of("broken", "split")) {
                HttpConnection.Response failed = admin.get("/plugins/outside/" + page);
                assertThat(failed.status()).as(page).isEqualTo(500);
                assertThat(failed.body()).doesNotContain("secret", "split");
                assertThat(failed.header("x-worse")).isNull();
            }
            assertThat(admin.get("/plugins/outside").status()).isEqualTo(200);
        }
    }

    @Test
    void answersKeepTheOrderOfTheirRequestsAlthoughOnePageIsSlow() {
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            admin.send("GET", "/plugins/outside/slow", "");
            admin.send("GET", "/health/live", "");
            admin.send("GET", "/plugins/outside", "");
            assertThat(admin.await().body()).isEqualTo("slow");
            assertThat(admin.await().body()).isEqualTo("live\n");
            assertThat(admin.await().body()).isEqualTo("first page");
        }
    }

    @Test
    void itsCommandRuns() {
        try (ChildProcess command = WeirProcess.launch(
                "plugin", "--config", configuration.toString(), "outside", "greet", "Ann", "--loud", "--help")) {
            assertThat(command.awaitExit(PATIENCE)).as(command.told()).isEqualTo(3);
            assertThat(command.out()).containsExactly("Welcome, Ann and --loud and --help!");
            assertThat(command.err()).containsExactly("greeted");
        }
    }

    @Test
    void anUnknownCommandIsWrongUsage() {
        CommandLineRun run = CommandLineRun.of("plugin", "--config", configuration.toString(), "outside", "sing");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("sing", "  greet  Greets whom it is told to.");
        CommandLineRun help = CommandLineRun.of("plugin", "--config", configuration.toString(), "outside", "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.outLines()).contains("  greet  Greets whom it is told to.");
        CommandLineRun failing = CommandLineRun.of("plugin", "--config", configuration.toString(), "outside", "fail");
        assertThat(failing.exitCode()).isEqualTo(1);
        assertThat(failing.errLines()).containsExactly("no paper left");
        CommandLineRun nobody = CommandLineRun.of("plugin", "--config", configuration.toString(), "nobody", "greet");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("plugin nobody: not found");
    }

    @Test
    void thePluginsAreListedWithWhatTheyOffer() {
        CommandLineRun list = CommandLineRun.of("plugins", "list", "--config", configuration.toString());
        assertThat(list.exitCode()).isZero();
        assertThat(list.err()).isEmpty();
        assertThat(list.outLines())
                .contains(
                        "outside 2.3.4  " + scratch.resolve("plugins/outside-2.3.4.jar"),
                        "  methods: net_version, outside_decline, outside_greet, outside_head, outside_startHead",
                        "  admin pages: /plugins/outside/, /plugins/outside/broken, /plugins/outside/notes,"
                                + " /plugins/outside/slow, /plugins/outside/split",
                        "  commands: fail, greet",
                        "  upstream schemes: devnet")
                .anyMatch(line -> line.startsWith("unruly 1.0.0  "));
    }

    @Test
    void itsSettingsAreCheckedWithFileAndLine() throws IOException {
        String shown = "include file(\"" + configuration + "\")\nplugins.outside {\n  %s\n}\n";
        Path unknown = Files.writeString(scratch.resolve("unknown.conf"), shown.formatted("greting = Hi"));
        assertThat(check(unknown))
                .containsExactly(unknown + ":3:3: plugins.outside.greting: unknown setting"
                        + " (expected: a known setting; did you mean plugins.outside.greeting?)");
        Path wrong = Files.writeString(scratch.resolve("wrong.conf"), shown.formatted("inner { size = 0 }"));
        assertThat(check(wrong)).containsExactly(wrong + ":3:11: plugins.outside.inner.size: 0 (expected: at least 1)");
        assertThat(check(configuration)).endsWith(configuration + ": no problem found");
    }

    private static List<String> check(Path file) {
        return CommandLineRun.of("check", "--config", file.toString()).outLines();
    }
}
