package io.weir.wallet.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.Felt;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.StarkSigner;
import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.testing.ScriptedNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The built proxy with the wallet as its users have it: seeds made by its commands, calls by a key, decisions in a browser. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ThroughProxyIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SNAP_ID = "npm:@consensys/starknet-snap";
    private static final String WORDS = "test test test test test test test test test test test junk";
    private static final String PASSPHRASE = "a passphrase of the test";
    private static final String MESSAGE = """
        {"types":{"StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
        {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
        "Note":[{"name":"text","type":"string"}]},
        "primaryType":"Note","domain":{"name":"weir","version":"1","chainId":"SN_SEPOLIA","revision":"1"},
        "message":{"text":"<script>document.title='owned'</script>"}}
        """;

    @TempDir
    private static Path folder;

    private static ScriptedNode node;
    private static Path configuration;
    private static WeirProcess weir;
    private static JsonRpcClient http;
    private static Browser browser;
    private static String account;

    @BeforeAll
    static void start() throws Exception {
        Browser.require();
        node = new ScriptedNode();
        Files.writeString(folder.resolve("passphrase"), PASSPHRASE + "\n");
        configuration = Files.writeString(folder.resolve("weir.conf"), configurationText());
        runImport();
        weir = WeirProcess.start(configurationText());
        http = new JsonRpcClient(weir.url());
        browser = Browser.start(pageUrl());
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> weir.admin().health("sepolia", "scripted").equals("healthy"));
        account = result(call("createAccount", Map.of())).path("address").stringValue();
    }

    private static String configurationText() {
        return ConfigurationText.of("sepolia", "SN_SEPOLIA")
                .upstream("scripted", node.url())
                .setting("networks.sepolia.kind = l2")
                .setting("server.drain = 2 m")
                .setting("plugins { path = [\"" + Checkout.find().root().resolve("plugins") + "\"] }")
                .setting("plugins.data = \"" + folder.resolve("data") + "\"")
                .setting("access.keys.other { sha256 = \"" + "0".repeat(64) + "\" }")
                .setting("access.keys.demo.methods = [\"*\", \"wallet_invokeSnap\"]")
                .setting("plugins.wallet {")
                .setting("  approver-sha256 = " + ApprovalFixture.credentialSha256())
                .setting(
                        "  seeds { passphrase-file = \"" + folder.resolve("passphrase") + "\", argon2.memory = 8 MiB }")
                .setting("  poll.interval = 100 ms")
                .setting("}")
                .text();
    }

    private static String pageUrl() {
        return "http://127.0.0.1:" + weir.adminPort() + "/plugins/wallet/approvals";
    }

    /** From a pipe, as {@code plugin wallet import demo < words}. */
    private static void runImport() throws Exception {
        Path words = Files.writeString(folder.resolve("words"), WORDS + "\n");
        String java = ProcessHandle.current().info().command().orElse("java");
        Path out = folder.resolve("import.out");
        Process process = new ProcessBuilder(
                        java,
                        "-jar",
                        Checkout.find().jar().toString(),
                        "plugin",
                        "--config",
                        configuration.toString(),
                        "wallet",
                        "import",
                        "demo")
                .redirectInput(words.toFile())
                .redirectOutput(out.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out))
                .contains("The seed of demo is kept, encrypted.")
                .doesNotContain("junk");
        assertThat(process.exitValue()).isZero();
        Files.delete(words);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (weir != null) {
            weir.close();
        }
        if (node != null) {
            node.close();
        }
    }

    private static CompletableFuture<JsonNode> call(String method, Map<String, Object> params) {
        Map<String, Object> request = Map.of("method", "l2Net_" + method, "params", params);
        String body = JsonRpcClient.call("wallet_invokeSnap", Map.of("snapId", SNAP_ID, "request", request));
        return http.postLater(body).thenApply(response -> JSON.readTree(response.body()));
    }

    private static JsonNode answer(CompletableFuture<JsonNode> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    private static JsonNode result(CompletableFuture<JsonNode> call) throws Exception {
        JsonNode answer = answer(call);
        assertThat(answer.has("result")).as(answer.toString()).isTrue();
        return answer.get("result");
    }

    private static Map<String, Object> transfer() {
        return Map.of(
                "contractAddress",
                ScriptedNode.TOKEN.toPaddedHex(),
                "contractFuncName",
                "transfer",
                "contractCallData",
                "0x0" + "7".repeat(63) + ",255,0",
                "senderAddress",
                account);
    }

    private static Browser signedIn() {
        return browser.signIn(ApprovalFixture.CREDENTIAL);
    }

    @Test
    @Order(1)
    void whatIsRefusedIsAnsweredWith4001AndNothingIsSent() throws Exception {
        CompletableFuture<JsonNode> deploying = call("createAccount", Map.of("deploy", true));
        signedIn().lookAtFirst();
        assertThat(browser.text())
                .contains("createAccount")
                .contains("constructor")
                .contains(account);
        browser.click("#refuse");
        assertThat(browser.text()).contains("Refused: createAccount", "Nothing was signed.");
        assertThat(answer(deploying).at("/error/code").intValue()).isEqualTo(4001);
        assertThat(node.lastTransaction().isNull()).isTrue();
    }

    @Test
    @Order(2)
    void whatIsApprovedIsSent() throws Exception {
        CompletableFuture<JsonNode> deploying = call("createAccount", Map.of("deploy", true));
        signedIn().lookAtFirst().click("#approve");
        String deployment = result(deploying).path("transaction_hash").stringValue();
        assertThat(node.lastTransaction().path("type").stringValue()).isEqualTo("DEPLOY_ACCOUNT");
        node.advanceByItself();
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> result(call("getTransactionStatus", Map.of("transactionHash", deployment)))
                        .stringValue()
                        .equals("ACCEPTED_ON_L2"));
        CompletableFuture<JsonNode> sending = call("sendTransaction", transfer());
        browser.lookAtFirst();
        assertThat(browser.text("#facts"))
                .contains("demo", "127.0.0.1", "sendTransaction", "sepolia, chain SN_SEPOLIA", " STRK (");
        assertThat(browser.text()).contains("Transfers 0.000000000000000255 STRK (the fee token) = 255 of");
        assertThat(browser.text(".call")).contains(ScriptedNode.TOKEN.toPaddedHex(), "transfer", "0x" + "7".repeat(63));
        assertThat(sending).isNotDone();
        browser.click("#approve");
        String hash = result(sending).path("transaction_hash").stringValue();
        assertThat(hash).startsWith("0x");
        browser.awaitText("Transaction: in a block.");
        assertThat(browser.text()).contains("Approved: sendTransaction", hash);
        assertThat(node.lastTransaction().path("type").stringValue()).isEqualTo("INVOKE");
    }

    @Test
    @Order(3)
    void aMessageIsShownAsItIsAndSigned() throws Exception {
        Map<String, Object> message = Map.of("typedDataMessage", MESSAGE, "signerAddress", account);
        CompletableFuture<JsonNode> signing = call("signMessage", message);
        signedIn().lookAtFirst();
        assertThat(browser.text("#message")).contains("text string <script>document.title='owned'</script>");
        assertThat(browser.text("#message-chain")).isEqualTo("For the chain SN_SEPOLIA.");
        assertThat(browser.title()).isEqualTo("Approve signMessage?");
        browser.click("#approve");
        String signature = result(signing).stringValue();
        browser.awaitText("The message was signed.");
        JsonNode valid = result(call(
                "verifyMessage",
                Map.of("typedDataMessage", MESSAGE, "signerAddress", account, "signature", signature)));
        assertThat(valid.booleanValue()).isTrue();
    }

    @Test
    @Order(4)
    void aPrivateKeyIsShownOnThePageOnceAndNowhereElse() throws Exception {
        CompletableFuture<JsonNode> showing = call("displayPrivateKey", Map.of("userAddress", account));
        signedIn().lookAtFirst().click("#approve");
        String hex = browser.text("#key");
        try (PrivateKey key = PrivateKey.of(Felt.parseHex(hex).toBytes())) {
            assertThat(StarkSigner.publicKey(key).toPaddedHex())
                    .isEqualTo(result(call("extractPublicKey", Map.of("userAddress", account)))
                            .stringValue());
        }
        assertThat(answer(showing).toString()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}");
        browser.click("main a");
        browser.back();
        assertThat(browser.text()).doesNotContain(hex);
        String digits = hex.substring(2);
        weir.process()
                .awaitErrorLine(
                        Pattern.compile("displayPrivateKey of demo on sepolia: approved"), Duration.ofSeconds(60));
        assertThat(String.join("\n", weir.process().out())
                        + String.join("\n", weir.process().err()))
                .doesNotContain(digits)
                .doesNotContain(PASSPHRASE);
        assertThat(weir.admin().metrics())
                .contains("weir_plugin_wallet_approvals_approved_total 4.0")
                .doesNotContain(digits);
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(digits)
                        .doesNotContain(new String(Felt.parseHex(hex).toBytes(), StandardCharsets.ISO_8859_1))
                        .doesNotContain("junk");
            }
        }
    }

    @Test
    @Order(5)
    void thePageAsksForNothingElsewhere() {
        signedIn();
        assertThat(browser.askedFor())
                .allMatch(address -> address.startsWith("http://127.0.0.1:" + weir.adminPort() + "/"));
    }

    @Test
    @Order(6)
    void neitherTheCallersKeyNorAForeignPageDecides() throws Exception {
        assertThat(post("credential=demo", "http://127.0.0.1:" + weir.adminPort())
                        .statusCode())
                .isEqualTo(403);
        String right = "credential=" + URLEncoder.encode(ApprovalFixture.CREDENTIAL, UTF_8);
        HttpResponse<String> foreign = post(right, "https://evil.example");
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.body()).startsWith("Origin: a foreign page");
        assertThat(foreign.headers().firstValue("set-cookie")).isEmpty();
        assertThat(post(right, "http://127.0.0.1:" + (weir.adminPort() ^ 1)).statusCode())
                .as("another port of the host")
                .isEqualTo(403);
        HttpResponse<String> own = post(right, "http://127.0.0.1:" + weir.adminPort());
        assertThat(own.statusCode()).isEqualTo(303);
        assertThat(own.headers().firstValue("set-cookie").orElseThrow())
                .contains("HttpOnly")
                .contains("SameSite=Strict");
        assertThat(own.headers().firstValue("cache-control")).contains("no-store");
        assertThat(own.headers().firstValue("content-security-policy").orElseThrow())
                .startsWith("default-src 'none'");
    }

    private static HttpResponse<String> post(String form, String origin) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(pageUrl() + "/sign-in"))
                .timeout(Duration.ofSeconds(60))
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", origin)
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @Order(7)
    void theCommandsTellWhoHasASeedAndMakeOne() {
        Run list = run("list");
        assertThat(list.code()).isZero();
        assertThat(list.out()).containsExactly("demo");
        // Beside the proxy that runs, which has the new seed at once.
        Run created = run("create", "other");
        assertThat(created.code()).as(created.toString()).isZero();
        assertThat(created.err().get(0)).contains("shown now and never again");
        assertThat(created.out())
                .singleElement()
                .satisfies(words -> assertThat(words.split(" ")).hasSize(24));
    }

    private record Run(int code, List<String> out, List<String> err) {}

    private static Run run(String... words) {
        List<String> all = Stream.concat(
                        Stream.of("plugin", "--config", configuration.toString(), "wallet"), Stream.of(words))
                .toList();
        try (ChildProcess process = WeirProcess.launch(all.toArray(String[]::new))) {
            int code = process.awaitExit(Duration.ofSeconds(60));
            return new Run(code, process.out(), process.err());
        }
    }

    @Test
    @Order(8)
    void aStoppingProxyRefusesWhatWaitsAndEndsWell() throws Exception {
        CompletableFuture<JsonNode> sending = call("sendTransaction", transfer());
        signedIn().lookAtFirst();
        weir.process().terminate();
        assertThat(answer(sending).at("/error/message").stringValue()).isEqualTo("withdrawn: the wallet stops");
        // The drain may take two minutes: it is over as soon as nobody waits.
        assertThat(weir.process().awaitExit(Duration.ofSeconds(60))).isZero();
    }
}
