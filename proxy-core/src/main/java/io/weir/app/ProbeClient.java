package io.weir.app;

import io.netty.handler.codec.http.HttpHeaders;
import io.weir.app.start.NodesConfig;
import io.weir.config.MethodCosts;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.tls.ClientCertificates;
import io.weir.tls.TlsFileException;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.NodeAddress;
import io.weir.upstream.pool.AnswerJudge.Redaction;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.NodeError;
import io.weir.upstream.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Client that asks one node as its configuration says, one request after the other with a pause between them. Requests, their time and the
 * size of answers are bounded. Texts of the node come without control characters, paths, addresses and credentials. Confined to one thread.
 */
final class ProbeClient {

    static final int MAX_REQUESTS = 70;

    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonNode NONE = MissingNode.getInstance();
    private static final ErrorTable ERRORS = new ErrorTable();
    private static final Duration MAX_TIME = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long GAP_AFTER_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_ANSWER = 4 << 20;
    private static final int MAX_WORDS = 160;
    private static final int OK = 200;
    private static final int CALL_TOO_LARGE = 413;

    private final UpstreamConfig config;
    private final HttpClient http;
    private final Redaction redaction;
    private final long endNanos = System.nanoTime() + MAX_TIME.toNanos();
    private long gapNanos;
    private long lastNanos;
    private int requests;
    private int calls;
    private int limited;
    private long units;

    /** @throws TlsFileException if a file of the node's TLS cannot be used */
    ProbeClient(UpstreamConfig config) throws TlsFileException {
        this.config = config;
        this.redaction = new Redaction(config);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(PATIENCE);
        if (config.usesTls()) {
            builder.sslContext(ClientCertificates.ofJdk(config.tls(), Clock.systemUTC()));
        }
        this.http = builder.build();
    }

    /**
     * Answer of the node. Immutable.
     *
     * @param result of a single call; missing if there is none, or if it is packed
     * @param words why there is no result, as operators may see it; empty if there is one
     * @param refusal the meaning of these words; null if there is a result
     */
    record Reply(JsonNode result, String words, @Nullable NodeOutcome refusal) {

        boolean isOk() {
            return refusal == null;
        }

        boolean is(ErrorClass wanted) {
            Verdict verdict = refusal == null ? null : refusal.verdict();
            return verdict != null && verdict.is(wanted);
        }
    }

    /** @param params the members of the array of parameters */
    Reply call(String method, String params) {
        return call(config.address(), method, params, "identity");
    }

    /** Sends a call to an address of the node, for an answer in a coding over HTTP. */
    Reply call(URI url, String method, String params, String coding) {
        return ask(url, method, text(method, params, 1), 0, coding);
    }

    Reply batch(String method, int size) {
        String batch = IntStream.rangeClosed(1, size)
                .mapToObj(id -> text(method, "", id))
                .collect(Collectors.joining(",", "[", "]"));
        return ask(config.address(), method, batch, size, "identity");
    }

    static boolean isWebSocket(URI url) {
        return url.getScheme().regionMatches(true, 0, "ws", 0, 2);
    }

    private static String text(String method, String params, int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":[" + params + "]}";
    }

    private long unitsOf(String method) {
        return config.budget().costs().of(method, MethodCatalogue.ofName(method).cost());
    }

    /** Adds what was asked so far, and its costs if they are configured. */
    void addCounts(Map<String, @Nullable Object> facts) {
        facts.put("requests", requests);
        facts.put("calls", calls);
        facts.put("rateLimited", limited);
        if (config.budget().isBounded() || !config.budget().costs().equals(MethodCosts.CALLS)) {
            facts.put("units", units);
            facts.put("unitsOfCall", unitsOf(ChainCalls.CALL));
            facts.put("unitsOfLogs", unitsOf(ChainCalls.LOGS));
            facts.put("unitsPerSecond", config.budget().perSecond());
            facts.put("unitsPerDay", config.budget().perDay());
        }
    }

    long lastNanos() {
        return lastNanos;
    }

    /** @param size of a batch; 0 for a single call */
    private Reply ask(URI url, String method, String text, int size, String coding) {
        long begun = System.nanoTime();
        if (requests >= MAX_REQUESTS || begun - endNanos > 0) {
            return failed(Fault.TIMEOUT, "not asked: the probe's bound of requests or time is reached");
        }
        while (System.nanoTime() - begun < gapNanos) {
            LockSupport.parkNanos(begun + gapNanos - System.nanoTime());
        }
        gapNanos = GAP_NANOS;
        requests++;
        calls += Math.max(1, size);
        units += Math.max(1, size) * unitsOf(method);
        begun = System.nanoTime();
        Reply reply = isWebSocket(url)
                ? replyOf(overWebSocket(url, text).thenApply(answer -> judged(method, size, OK, answer)))
                : replyOf(NodesConfig.exchange(
                        http, request(url, text, coding), response -> judged(method, size, response), PATIENCE));
        lastNanos = System.nanoTime() - begun;
        if (reply.is(ErrorClass.RATE_LIMITED)) {
            limited++;
            gapNanos = GAP_AFTER_LIMIT_NANOS;
        }
        return reply;
    }

    private static Reply replyOf(CompletableFuture<Reply> asked) {
        try {
            return asked.join();
        } catch (CompletionException e) {
            return failed(Fault.CONNECT, NodesConfig.seen(e.getCause() == null ? e : e.getCause()));
        }
    }

    private CompletableFuture<String> overWebSocket(URI url, String text) {
        HttpHeaders headers = NodeAddress.ofWebSocket(url).headers(Map.of(), config.headers());
        return NodesConfig.askWebSocket(http, url, headers.remove("host"), text, MAX_ANSWER)
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private HttpRequest request(URI url, String text, String coding) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .header("accept-encoding", coding)
                .POST(HttpRequest.BodyPublishers.ofString(text));
        // The JDK's client sets the host itself.
        NodeAddress.ofHttp(url)
                .headers(Map.of("content-type", "application/json"), config.headers())
                .remove("host")
                .forEach(header -> request.header(header.getKey(), header.getValue()));
        return request.build();
    }

    private Reply judged(String method, int size, HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            boolean isPacked = response.headers().firstValue("content-encoding").isPresent();
            return isPacked && response.statusCode() == OK
                    ? new Reply(NONE, "", null)
                    : judged(
                            method,
                            size,
                            response.statusCode(),
                            new String(body.readNBytes(MAX_ANSWER + 1), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private Reply judged(String method, int size, int status, String text) {
        if (text.length() > MAX_ANSWER) {
            return failed(Fault.TOO_LARGE, "an answer over " + (MAX_ANSWER >> 20) + " MiB, which is not read");
        }
        JsonNode json = parsed(text);
        boolean isWhole = size == 0
                ? json.has("result")
                : json.isArray() && json.findValues("result").size() == size;
        return status == OK && isWhole
                ? new Reply(json.path("result"), "", null)
                : refused(method, status, json.findPath("error"));
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return NONE;
        }
    }

    private Reply refused(String method, int status, JsonNode error) {
        int code = error.path("code").asInt(0);
        RpcError said = new RpcError(code, error.path("message").asString(""), null);
        Verdict verdict = ERRORS.verdict(NodeError.ofProbe(new RpcCall(null, method, null), said, status));
        String shown = error.isObject() ? shown(said.message()) + " (" + code + ")" : "no JSON-RPC answer";
        String words = (verdict.is(ErrorClass.RATE_LIMITED) ? "rate limited: " : "")
                + (status == OK ? "" : "HTTP " + status + ", ")
                + shown;
        return status == CALL_TOO_LARGE
                ? failed(Fault.CALL_TOO_LARGE, words)
                : new Reply(NONE, words, new Answered(RpcReply.failure(said), status, verdict));
    }

    private static Reply failed(Fault fault, String words) {
        return new Reply(NONE, words, new Failed(fault, Executed.NO, words, 0));
    }

    /** Returns a text of the node as operators may see it. */
    String shown(String text) {
        RpcError said = new RpcError(0, text, null);
        NodeError parsed = NodeError.ofProbe(new RpcCall(null, ChainCalls.CHAIN_ID, null), said, OK);
        RpcError clean = redaction.clean(said, ERRORS.clean(parsed, said, ERRORS.verdict(parsed)));
        String words = clean.message();
        return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS) + "…";
    }
}
