package io.weir.wallet.testing;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.weir.l2.Felt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node of the layer-2 network as far as the wallet uses one, over HTTP: it takes transactions only with the right hash, signature and
 * nonce. Blocks are made when a test says so. Thread-safe.
 */
public final class ScriptedNode implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    public static final Felt TOKEN = NodeMethods.TOKEN;
    public static final Felt CHAIN_ID = NodeMethods.CHAIN_ID;

    private final Object lock = new Object();
    private final NodeMethods methods = new NodeMethods();
    private final Deque<Mishap> mishaps = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final Set<JsonNode> given = new LinkedHashSet<>();
    private final WireMockServer server;
    private boolean advancing;

    /** What goes wrong with the next transaction that is sent. */
    public enum Mishap {
        /** The connection breaks before the node has read it. */
        LOST_BEFORE,
        /** The node takes it, and its answer is lost. */
        ANSWER_LOST,
        /** The node takes it and refuses it. */
        TAKEN_BUT_REFUSED,
        /** The node refuses it for want of money. */
        REFUSED
    }

    public ScriptedNode() {
        server = new WireMockServer(wireMockConfig()
                .dynamicPort()
                .bindAddress("127.0.0.1")
                .disableRequestJournal()
                .extensions(new Script()));
        server.stubFor(post(anyUrl()).willReturn(aResponse().withTransformers("node")));
        server.start();
    }

    private final class Script implements ResponseDefinitionTransformerV2 {
        @Override
        public ResponseDefinition transform(ServeEvent event) {
            JsonNode body = MAPPER.readTree(event.getRequest().getBody());
            synchronized (lock) {
                return respond(body);
            }
        }

        @Override
        public String getName() {
            return "node";
        }

        @Override
        public boolean applyGlobally() {
            return false;
        }
    }

    private ResponseDefinition respond(JsonNode body) {
        if (!body.isArray()) {
            return reply(body);
        }
        ArrayNode replies = MAPPER.createArrayNode();
        body.forEach(call -> replies.add(MAPPER.readTree(reply(call).getBody())));
        return json(replies);
    }

    private ResponseDefinition reply(JsonNode call) {
        String method = call.path("method").stringValue();
        asked.add(method);
        if (advancing && method.equals("starknet_getTransactionStatus")) {
            methods.ledger.advance();
        }
        Mishap mishap = null;
        if (method.startsWith("starknet_add")) {
            call.path("params").forEach(given::add);
            mishap = mishaps.poll();
        }
        if (mishap == Mishap.LOST_BEFORE) {
            return broken();
        }
        ObjectNode reply = MAPPER.createObjectNode().put("jsonrpc", "2.0");
        reply.set("id", call.path("id"));
        try {
            if (mishap == Mishap.REFUSED) {
                throw new NodeFailure(54, "Account balance is smaller than the transaction's maximal fee");
            }
            JsonNode result = methods.answer(method, call.path("params"));
            if (mishap == Mishap.TAKEN_BUT_REFUSED) {
                throw new NodeFailure(63, "An unexpected error occurred");
            }
            reply.set("result", result);
        } catch (NodeFailure failure) {
            ObjectNode error = reply.putObject("error");
            error.put("code", failure.code).put("message", failure.getMessage());
        }
        return mishap == Mishap.ANSWER_LOST ? broken() : json(reply);
    }

    private static ResponseDefinition broken() {
        return ResponseDefinitionBuilder.responseDefinition()
                .withFault(Fault.CONNECTION_RESET_BY_PEER)
                .build();
    }

    private static ResponseDefinition json(JsonNode body) {
        return ResponseDefinitionBuilder.responseDefinition()
                .withStatus(200)
                .withHeader("content-type", "application/json")
                .withBody(body.toString())
                .build();
    }

    /** Where it listens. */
    public String url() {
        return server.baseUrl();
    }

    /** Something goes wrong with the next transactions that are sent, one after the other. */
    public void expect(Mishap... next) {
        synchronized (lock) {
            mishaps.addAll(List.of(next));
        }
    }

    /** Everything in the mempool and the blocks comes one stage further. */
    public void advance() {
        synchronized (lock) {
            methods.ledger.advance();
        }
    }

    /** From now on every question for a status brings everything one stage further. */
    public void advanceByItself() {
        synchronized (lock) {
            advancing = true;
        }
    }

    /** The version of the specification that it claims. */
    public void speak(String version) {
        synchronized (lock) {
            methods.specVersion = version;
        }
    }

    /** Puts an account on the chain that others made. */
    public void addContract(Felt address, Felt classHash, Felt publicKey) {
        synchronized (lock) {
            methods.ledger.addContract(address, classHash, publicKey);
        }
    }

    /** Gives an address a balance, as the token's two words. */
    public void fund(Felt address, Felt low, Felt high) {
        synchronized (lock) {
            methods.balances.put(address, List.of(low, high));
        }
    }

    /** Loses a transaction that it has taken. */
    public void forget(Felt hash) {
        synchronized (lock) {
            methods.ledger.entries.remove(hash);
        }
    }

    /** The nonces of a sender's transactions, in the order in which they came. */
    public List<Long> nonces(Felt sender) {
        synchronized (lock) {
            return methods.ledger.noncesOf(sender);
        }
    }

    /** What it was asked since the last time, by method. */
    public List<String> takeAsked() {
        synchronized (lock) {
            List<String> taken = List.copyOf(asked);
            asked.clear();
            return taken;
        }
    }

    /** The different transactions, with their signatures, that ever came to it, also those that it did not take. */
    public List<JsonNode> given() {
        synchronized (lock) {
            return List.copyOf(given);
        }
    }

    /** The last transaction that it has taken. */
    public JsonNode lastTransaction() {
        synchronized (lock) {
            JsonNode last = JsonNodeFactory.instance.nullNode();
            for (NodeLedger.Entry entry : methods.ledger.entries.values()) {
                last = entry.body;
            }
            return last;
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
