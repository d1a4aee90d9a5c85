package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.Felt;
import io.weir.l2.deploy.Samples;
import io.weir.l2.deploy.intake.Deployment;
import io.weir.l2.deploy.intake.DeploymentReader;
import io.weir.testing.JsonRpcClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deployments through the built proxy, at nodes that answer as they are told. */
final class DeployThroughProxyIT {
    private static final String METHOD = "l2net_addDeployAccountTransaction";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int SPREAD = 24;
    private static final int HANGING_CALLS = 15;
    private static final int LONG_DEPLOYMENTS = 120;

    @TempDir
    private static Path scratch;

    private static ScriptedNodes nodes;
    private static ScriptedNodes stopping;
    /** By itself: each call that hangs takes a thread of the scripted node's server. */
    private static ScriptedNodes hanging;

    private static LayerTwoProxy proxy;

    /** Each test has transactions of its own: the plugin remembers them. */
    private static final AtomicInteger SALT = new AtomicInteger(1_000);

    private final ObjectNode transaction =
            Samples.deployment().put("contract_address_salt", "0x" + Integer.toHexString(SALT.incrementAndGet()));

    @BeforeAll
    static void start() {
        nodes = new ScriptedNodes();
        for (String name :
                List.of("one", "two", "full", "free", "next", "cut", "kept", "even", "odd", "gate", "strict", "old")) {
            nodes.node(name, "0.8.1");
        }
        stopping = new ScriptedNodes().node("gone", "0.8.1");
        hanging = new ScriptedNodes().node("slow", "0.8.1").node("late", "0.8.1");
        proxy = LayerTwoProxy.in(scratch)
                .network("main", nodes.url("one"), nodes.url("two"))
                .network("limited", nodes.url("full"), nodes.url("free"))
                .network("refusing", stopping.url("gone"), nodes.url("next"))
                .network("breaking", nodes.url("cut"), nodes.url("kept"))
                .network("even", nodes.url("even"), nodes.url("odd"))
                .network("slow", hanging.url("slow"))
                .network("late", hanging.url("late"))
                .network("gateway", nodes.url("gate"))
                .network("mixed", nodes.url("strict"), nodes.url("old"))
                .setting("networks.even.upstreams.n1.tier = 0")
                .setting("networks.late.upstreams.n0.timeout = 1 s")
                .setting("plugins.l2-deploy { aliases = [starknet], bare-bounds { main = gateway } }")
                .setting(
                        "access.keys.narrow { sha256 = 5eda958e9ddee7721fb71e7a7618c64dbf20cc77b06ba4e4d2269d6c3e50655b, "
                                + "methods = [" + METHOD + "] }")
                .setting(
                        "access.keys.paid { sha256 = 268ad70eb5bc4737a2ae28162cbca30118cc94520e49ef1ac5f72c85d3f2caa9, budget.per-day = 25 }")
                .setting(
                        "access.keys.long { sha256 = fc66f021c67d064c1490a12b5a4d4d2f5167ca692a16ca12f1f3a4cda29a6fa9, budget.per-day = 45 }")
                .start();
    }

    @AfterAll
    static void stop() {
        if (proxy != null) {
            proxy.close();
        }
        nodes.close();
        stopping.close();
        hanging.close();
    }

    @BeforeEach
    void forget() {
        nodes.forgetRequests();
    }

    private Deployment read() {
        return new DeploymentReader().read(Samples.named(transaction));
    }

    private String rightAnswer() {
        Deployment deployment = read();
        Felt hash = deployment.hash(Felt.parseHex(Samples.SEPOLIA), deployment.address());
        return answer(hash.toHex(), deployment.address().toHex());
    }

    private static String answer(String hash, String address) {
        return "{\"transaction_hash\":\"" + hash + "\",\"contract_address\":\"" + address + "\"}";
    }

    private String call(String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + Samples.named(transaction)
                + "}";
    }

    private JsonNode deploy(String network) {
        return Samples.json(proxy.client(network).post(call(METHOD)).body());
    }

    private static double counted(String meter) {
        return proxy.process().admin().metric("weir_plugin_l2_deploy_" + meter + "_total");
    }

    @Test
    void itGoesToOneNodeInItsNormalFormAndTheNodesAnswerComesBack() {
        nodes.answer("one", rightAnswer());
        transaction.put("nonce", "0x000").set("signature", Samples.json("[\"255\",\"0x0a\"]"));
        nodes.answer("one", rightAnswer());
        assertThat(deploy("main").path("result")).isEqualTo(Samples.json(rightAnswer()));
        assertThat(nodes.sent("one")).singleElement().satisfies(sent -> {
            assertThat(sent.path("nonce").stringValue()).isEqualTo("0x0");
            assertThat(sent.path("signature")).isEqualTo(Samples.json("[\"0xff\",\"0xa\"]"));
        });
        assertThat(nodes.sent("two")).isEmpty();
    }

    @Test
    void aKeyThatMayCallThisMethodAloneMayDeploy() {
        nodes.answer("one", rightAnswer());
        String url = proxy.url("main").replace("/v3/demo", "/v3/narrow");
        JsonNode answer = Samples.json(new JsonRpcClient(url).post(call(METHOD)).body());
        assertThat(answer.has("result")).as(answer.toString()).isTrue();
        JsonNode other = Samples.json(
                new JsonRpcClient(url).post(call(ScriptedNodes.DEPLOY)).body());
        assertThat(other.at("/error/code").asInt()).isEqualTo(-32002);
    }

    @Test
    void aDeploymentCostsWhatItsHashesTake() {
        JsonRpcClient client = new JsonRpcClient(proxy.url("main").replace("/v3/demo", "/v3/paid"));
        nodes.refuse("one", 55, "Account validation failed", "null");
        for (int code : new int[] {55, 55, -32005}) {
            assertThat(Samples.json(client.post(call(METHOD)).body())
                            .at("/error/code")
                            .asInt())
                    .isEqualTo(code);
        }
        assertThat(nodes.sent("one")).hasSize(2);
    }

    @Test
    void aLongDeploymentCostsMoreAndIsNotSentIfItsKeyMayNotPay() {
        JsonRpcClient client = new JsonRpcClient(proxy.url("main").replace("/v3/demo", "/v3/long"));
        nodes.refuse("one", 55, "Account validation failed", "null");
        transaction.set("constructor_calldata", elements(350));
        assertThat(code(client.post(call(METHOD)))).as("35 of 45 units").isEqualTo(55);
        JsonNode refused = Samples.json(client.post(call(METHOD)).body());
        assertThat(refused.at("/error/code").asInt()).isEqualTo(-32005);
        assertThat(refused.at("/error/message").asString())
                .isEqualTo(
                        "this call costs 25 units more than others of its method (expected: no more than the rate and the units"
                                + " of this api key allow now)");
        assertThat(nodes.sent("one")).hasSize(1);
    }

    /** Each of the long ones takes a thread for some hundredths of a second. */
    @Test
    void longDeploymentsOfOneTenantDelayThoseOfOthersByTheirTurnAlone() throws Exception {
        nodes.answer("one", answer("0x1", "0x2"));
        transaction.set("constructor_calldata", elements(120));
        JsonRpcClient narrow = new JsonRpcClient(proxy.url("main").replace("/v3/demo", "/v3/narrow"));
        // Connects: the client's own start does not count.
        narrow.post(JsonRpcClient.call("eth_chainId"));
        List<CompletableFuture<HttpResponse<String>>> many = new ArrayList<>();
        for (int i = 0; i < LONG_DEPLOYMENTS; i++) {
            transaction.put("nonce", "0x" + Integer.toHexString(i));
            many.add(proxy.client("main").postLater(call(METHOD)));
        }
        transaction.set("constructor_calldata", elements(1));
        String small = call(METHOD);
        await().atMost(PATIENCE).until(() -> done(many) > 0);
        long before = done(many);
        assertThat(code(narrow.post(small))).isEqualTo(63);
        // Its two steps wait for what runs then on each of the threads.
        assertThat(done(many) - before).isLessThan(LONG_DEPLOYMENTS / 3);
        for (CompletableFuture<HttpResponse<String>> one : many) {
            assertThat(code(one.get(60, TimeUnit.SECONDS))).isEqualTo(63);
        }
    }

    private static long done(List<CompletableFuture<HttpResponse<String>>> calls) {
        return calls.stream().filter(CompletableFuture::isDone).count();
    }

    private static int code(HttpResponse<String> answer) {
        return Samples.json(answer.body()).at("/error/code").asInt();
    }

    private static JsonNode elements(int count) {
        return Samples.json(IntStream.range(0, count)
                .mapToObj(i -> "\"0x" + Integer.toHexString(i).repeat(20) + '"')
                .collect(Collectors.joining(",", "[", "]")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "28|Class hash not found|null",
                "52|Invalid transaction nonce|\"Invalid transaction nonce of contract at address 0x1. Account nonce: 0x1; got: 0x0.\"",
                "53|The transaction's resources don't cover validation or the minimal transaction fee|\"Max gas amount is too low\"",
                "54|Account balance is smaller than the transaction's maximal fee|\"Resources bounds exceed balance (0)\"",
                "55|Account validation failed|\"Transaction reverted: 0: Error in the called contract:\\nCairo traceback (most recent call last):\\nUnknown location (pc=0:67)\\n at /x/y\"",
                "55|Account validation failed|\"rate limit, timeout, internal, out of gas, not supported\"",
                "58|Sender address is not an account contract|null",
                "59|A transaction with the same hash already exists in the mempool|null",
                "61|the transaction version is not supported|\"method not found\"",
                "63|An unexpected error occurred|{\"gateway\":[\"StarkErrorCode.MALFORMED\",1.5]}",
                "64|Replacement transaction is underpriced|null",
                "65|Transaction fee below minimum|null"
            })
    void theNetworksErrorsPassAsTheyCame(int code, String message, String data) {
        nodes.refuse("one", code, message, data);
        JsonNode error = deploy("main").path("error");
        assertThat(error.path("code").asInt()).isEqualTo(code);
        assertThat(error.path("message").asString()).isEqualTo(message);
        assertThat(error.path("data")).isEqualTo(Samples.json(data));
        assertThat(nodes.sent("one")).hasSize(1);
        assertThat(nodes.sent("two")).isEmpty();
    }

    @Test
    void aNodeThatTellsAnotherHashIsNotBelieved() {
        String lie = answer("0xbad", read().address().toHex());
        nodes.answer("one", lie);
        double before = counted("contradicted");
        JsonNode error = deploy("main").path("error");
        assertThat(error.path("code").asInt()).isEqualTo(63);
        assertThat(error.path("data"))
                .isEqualTo(Samples.json(
                        "{\"accepted\":true,\"computed\":" + rightAnswer() + ",\"upstream\":" + lie + "}"));
        assertThat(counted("contradicted")).isEqualTo(before + 1);
        proxy.process().process().awaitErrorLine(Pattern.compile("0xbad"), PATIENCE);
        assertThat(nodes.sent("one")).hasSize(1);
        assertThat(nodes.sent("two")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[]", "null", "{}", "\"0x1\"", "{\"transaction_hash\":{\"a\":1},\"contract_address\":7}"})
    void garbageOfANodeIsAnErrorOfThisCallAlone(String garbage) {
        nodes.answer("one", garbage);
        assertThat(deploy("main").at("/error/code").asInt()).isEqualTo(63);
        nodes.answer("one", rightAnswer());
        transaction.put("nonce", "0x1");
        nodes.answer("one", rightAnswer());
        assertThat(deploy("main").has("result")).isTrue();
    }

    @Test
    void afterARateLimitTheNextNodeIsAsked() {
        nodes.status("full", 429);
        nodes.answer("free", rightAnswer());
        assertThat(deploy("limited").path("result")).isEqualTo(Samples.json(rightAnswer()));
        assertThat(nodes.sent("full")).hasSize(1);
        assertThat(nodes.sent("free")).hasSize(1);
    }

    @Test
    void afterARefusedConnectionTheNextNodeIsAsked() {
        stopping.close();
        nodes.answer("next", rightAnswer());
        assertThat(deploy("refusing").path("result")).isEqualTo(Samples.json(rightAnswer()));
        assertThat(nodes.sent("next")).hasSize(1);
    }

    @Test
    void afterABrokenConnectionNobodyElseIsAskedAndTheClientMayAskAgain() {
        nodes.breakOff("cut");
        assertThat(deploy("breaking").at("/error/code").asInt()).isEqualTo(-32603);
        assertThat(nodes.sent("cut")).hasSize(1);
        assertThat(nodes.sent("kept")).as("the first node may have taken it").isEmpty();
        for (String name : List.of("cut", "kept")) {
            nodes.refuse(name, 59, "A transaction with the same hash already exists in the mempool", "null");
        }
        double before = counted("repeated");
        JsonNode again = deploy("breaking");
        assertThat(again.path("result"))
                .as("it is in the mempool, and this proxy brought it there: " + again)
                .isEqualTo(Samples.json(rightAnswer()));
        assertThat(counted("repeated")).isEqualTo(before + 1);
        transaction.put("nonce", "0x7");
        assertThat(deploy("breaking").at("/error/code").asInt())
                .as("one that this proxy did not bring")
                .isEqualTo(59);
    }

    @Test
    void deploymentsAreSpreadOverEvenNodesEachToOneOfThem() {
        for (String name : List.of("even", "odd")) {
            nodes.refuse(name, 28, "Class hash not found", "null");
        }
        for (int i = 0; i < SPREAD; i++) {
            transaction.put("nonce", "0x" + Integer.toHexString(i));
            assertThat(deploy("even").at("/error/code").asInt()).isEqualTo(28);
        }
        assertThat(nodes.sent("even")).isNotEmpty();
        assertThat(nodes.sent("odd")).isNotEmpty();
        assertThat(nodes.sent("even").size() + nodes.sent("odd").size()).isEqualTo(SPREAD);
    }

    @Test
    void theSameTwiceWhileTheFirstIsUnderWayIsOneCallWithOneAnswerForBoth() throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        nodes.answerLate("one", all, rightAnswer());
        double joined = counted("joined");
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(proxy.client("main").postLater(call(i % 2 == 0 ? METHOD : ScriptedNodes.DEPLOY)));
        }
        await().atMost(PATIENCE).until(() -> counted("joined") == joined + 4);
        all.countDown();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            JsonNode body = Samples.json(answer.get(60, TimeUnit.SECONDS).body());
            assertThat(body.path("result")).isEqualTo(Samples.json(rightAnswer()));
        }
        assertThat(nodes.sent("one")).hasSize(1);
    }

    @Test
    void aNodeThatHangsHoldsUpItsOwnCallsOnly() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        hanging.answerLate("slow", over, "{}");
        int before = hanging.held();
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < HANGING_CALLS; i++) {
            transaction.put("nonce", "0x" + i);
            calls.add(proxy.client("slow").postLater(call(METHOD)));
        }
        await().atMost(PATIENCE).until(() -> hanging.held() == before + HANGING_CALLS);
        transaction.put("nonce", "0x99");
        nodes.answer("one", rightAnswer());
        assertThat(deploy("main").has("result")).isTrue();
        assertThat(proxy.client("main").result("starknet_blockNumber").intValue())
                .isEqualTo(640_000);
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        over.countDown();
        for (CompletableFuture<HttpResponse<String>> call : calls) {
            JsonNode body = Samples.json(call.get(60, TimeUnit.SECONDS).body());
            assertThat(body.at("/error/code").asInt()).isEqualTo(63);
        }
    }

    @Test
    void aNodeThatDoesNotAnswerInTimeIsAnError() {
        CountDownLatch never = new CountDownLatch(1);
        hanging.answerLate("late", never, rightAnswer());
        assertThat(deploy("late").at("/error/code").asInt()).isEqualTo(-32603);
        never.countDown();
    }

    @Test
    void wrongFieldsAreToldAllAtOnceAndNothingIsSent() {
        transaction.put("tip", "10");
        transaction.remove("nonce");
        ((ObjectNode) transaction.path("resource_bounds")).put("l2_gas", "none");
        JsonNode error = deploy("main").path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
        assertThat(error.path("message").asString())
                .isEqualTo(
                        "deploy_account_transaction.nonce: nothing (expected: a felt: 0x and up to 64 hex digits, below"
                                + " the field's prime), and 2 more: see data");
        assertThat(error.path("data").valueStream().map(one -> one.path("path").asString()))
                .containsExactly(
                        "deploy_account_transaction.nonce",
                        "deploy_account_transaction.resource_bounds.l2_gas",
                        "deploy_account_transaction.tip");
        assertThat(nodes.sent("one")).isEmpty();
    }

    @Test
    void aQueryIsRefusedAndNotSent() {
        transaction.put("version", "0x100000000000000000000000000000003");
        JsonNode error = deploy("main").path("error");
        assertThat(error.path("code").asInt()).isEqualTo(61);
        assertThat(error.path("message").asString()).isEqualTo("the transaction version is not supported");
        assertThat(nodes.sent("one")).isEmpty();
    }

    @Test
    void singleHexStringsReachTheNodeThatTakesThemBehindOneThatDoesNot() {
        transaction.set("resource_bounds", Samples.json("{\"l1_gas\":\"0x0186A0\",\"l2_gas\":\"0x0\"}"));
        String answer = answer("0x123", read().address().toHex());
        nodes.refuse("strict", -32602, "Invalid params", "{\"reason\":\"invalid type: string\"}");
        nodes.answer("old", answer);
        assertThat(deploy("mixed").path("result")).isEqualTo(Samples.json(answer));
        assertThat(nodes.sent("strict")).hasSize(1);
        assertThat(nodes.sent("old")).hasSize(1);

        nodes.refuse("old", -32602, "Invalid params", "null");
        transaction.put("nonce", "0x1");
        assertThat(deploy("mixed").at("/error/message").asString())
                .contains("resource_bounds: single hex strings", "plugins.l2-deploy.bare-bounds.mixed");
    }

    @Test
    void singleHexStringsGoVerbatimToTheNodesThatTakeThemAndNowhereElse() {
        JsonNode bounds = Samples.json("{\"l1_gas\":\"0x0186A0\",\"l2_gas\":\"0x0\"}");
        transaction.set("resource_bounds", bounds);
        String answer = answer("0x123", read().address().toHex());
        nodes.answer("gate", answer);
        assertThat(deploy("main").path("result")).isEqualTo(Samples.json(answer));
        assertThat(nodes.sent("gate"))
                .singleElement()
                .satisfies(sent ->
                        assertThat(sent.path("resource_bounds").toString()).isEqualTo(bounds.toString()));
        assertThat(nodes.sent("one")).isEmpty();

        deploy("limited");
        assertThat(nodes.sent("full")).as("its own network's node").hasSize(1);
    }
}
