package io.weir.l2.deploy.proxy;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.weir.l2.deploy.Samples;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Layer-2 nodes that answer as they are told, each under a path of one server: by themselves what a node tells of its chain.
 * Thread-safe.
 */
final class ScriptedNodes implements AutoCloseable {
    static final String DEPLOY = "starknet_addDeployAccountTransaction";

    private static final int ALWAYS = 10;
    private static final int WHERE_NOTHING_ELSE_IS_SAID = 20;
    /** A class without anything in it, of which clients read that it is one of Cairo 1. */
    private static final String CLASS =
            "{\"sierra_program\":[\"0x1\"],\"contract_class_version\":\"0.1.0\",\"abi\":\"[]\","
                    + "\"entry_points_by_type\":{\"CONSTRUCTOR\":[],\"EXTERNAL\":[],\"L1_HANDLER\":[]}}";

    private final Holding holding = new Holding();
    private final WireMockServer server = new WireMockServer(wireMockConfig()
            .dynamicPort()
            .bindAddress("127.0.0.1")
            .globalTemplating(true)
            .extensions(holding));

    /** Answers once a test says so. Thread-safe. */
    private static final class Holding implements ResponseDefinitionTransformerV2 {
        private static final String NAME = "held";
        private final AtomicInteger held = new AtomicInteger();
        private volatile CountDownLatch until = new CountDownLatch(0);

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            held.incrementAndGet();
            try {
                until.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return event.getResponseDefinition();
        }

        @Override
        public String getName() {
            return NAME;
        }

        @Override
        public boolean applyGlobally() {
            return false;
        }
    }

    ScriptedNodes() {
        server.start();
    }

    /** Has a node that tells the chain, its head and its version. */
    ScriptedNodes node(String name, String specVersion) {
        answerAlways(name, "starknet_chainId", "\"" + Samples.SEPOLIA + "\"");
        answerAlways(name, "starknet_blockNumber", "640000");
        answerAlways(name, "starknet_syncing", "false");
        answerAlways(name, "starknet_specVersion", "\"" + specVersion + "\"");
        answerAlways(name, "starknet_getClass", CLASS);
        return this;
    }

    private void answerAlways(String name, String method, String result) {
        script(name, method, ALWAYS, aResponse().withBody(envelope("\"result\":" + result)));
    }

    /** The URL of a node. */
    String url(String name) {
        return "http://127.0.0.1:" + server.port() + "/" + name;
    }

    /** Has a node answer deployments so. */
    void answer(String name, String result) {
        deployments(name, aResponse().withBody(envelope("\"result\":" + result)));
    }

    /** Has a node refuse deployments so. */
    void refuse(String name, int code, String message, String data) {
        deployments(
                name,
                aResponse()
                        .withBody(envelope("\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\",\"data\":"
                                + data + "}")));
    }

    /** Has a node answer deployments so, once the latch is open. */
    void answerLate(String name, CountDownLatch until, String result) {
        holding.until = until;
        deployments(name, aResponse().withBody(envelope("\"result\":" + result)).withTransformers(Holding.NAME));
    }

    /** Returns how many deployments it has held so far. */
    int held() {
        return holding.held.get();
    }

    /** Has a node answer deployments with this status of HTTP. */
    void status(String name, int status) {
        deployments(name, aResponse().withStatus(status).withHeader("retry-after", "60"));
    }

    /** Has a node break the connection once it has a deployment. */
    void breakOff(String name) {
        deployments(name, aResponse().withFault(Fault.EMPTY_RESPONSE));
    }

    private void deployments(String name, ResponseDefinitionBuilder answer) {
        script(name, DEPLOY, WHERE_NOTHING_ELSE_IS_SAID, answer);
    }

    private void script(String name, String method, int priority, ResponseDefinitionBuilder answer) {
        server.stubFor(post(urlEqualTo("/" + name))
                .withRequestBody(matchingJsonPath("$.method", equalTo(method)))
                .atPriority(priority)
                // No connection is kept: a node that stops is then one that refuses connections.
                .willReturn(
                        answer.withHeader("content-type", "application/json").withHeader("connection", "close")));
    }

    private static String envelope(String member) {
        return "{\"jsonrpc\":\"2.0\",\"id\":{{jsonPath request.body '$.id'}}," + member + "}";
    }

    /** The transactions that a node was sent, the last one first. */
    List<JsonNode> sent(String name) {
        return server
                .findAll(postRequestedFor(urlEqualTo("/" + name))
                        .withRequestBody(matchingJsonPath("$.method", equalTo(DEPLOY))))
                .stream()
                .map(request -> Samples.json(request.getBodyAsString()).at("/params/deploy_account_transaction"))
                .toList();
    }

    /** Forgets what nodes were sent. */
    void forgetRequests() {
        server.resetRequests();
    }

    @Override
    public void close() {
        server.stop();
    }
}
