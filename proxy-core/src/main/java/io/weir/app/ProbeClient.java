package io.weir.app;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.app.start.NodesConfig;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
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
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
 * size of answers are bounded. Texts of the node are shown without control characters, paths, addresses and credentials. Confined to one
 * thread.
 */
final class ProbeClient implements AutoCloseable {

    static final int MAX_REQUESTS = 70;
    static final Duration MAX_TIME = Duration.ofMinutes(3);

    private static final JsonMapper JSON = new JsonMapper();
    private static final ErrorTable ERRORS = new ErrorTable();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long GAP_AFTER_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_WORDS = 160;
    private static final int TOO_LARGE = 413;
    private static final String HOST = "host";

    private final UpstreamConfig config;
    private final HttpClient http;
    private final Redaction redaction;
    private final ExecutorService reader =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("weir-probe-reader", true));
    private final long begunNanos = System.nanoTime();
    private @Nullable Socket socket;
    private long gapNanos;
    private int requests;
    private int calls;
    private int limited;
    private long units;

    /** @throws TlsFileException if a file of the node's TLS cannot be used */
    ProbeClient(String network, UpstreamConfig config) throws TlsFileException {
        this.config = config;
        this.redaction = new Redaction(config);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(PATIENCE);
        if (config.usesTls()) {
            String setting = "networks." + network + ".upstreams." + config.id() + ".tls";
            builder.sslContext(ClientCertificates.ofJdk(setting, config.tls(), Clock.systemUTC()));
        }
        this.http = builder.build();
    }

    /**
     * Answer of the node. Immutable.
     *
     * @param body the whole answer
     * @param words why there is no result, as operators may see it; empty if there is one
     * @param refusal the meaning of these words; null if there is a result
     * @param coding the content coding of the answer; empty for none
     */
    record Reply(JsonNode body, String words, @Nullable NodeOutcome refusal, String coding, long nanos) {

        boolean isOk() {
            return refusal == null;
        }

        boolean is(ErrorClass wanted) {
            Verdict verdict = refusal == null ? null : refusal.verdict();
            return verdict != null && verdict.is(wanted);
        }

        JsonNode result() {
            return body.path("result");
        }
    }

    /** What came from the node. Immutable. */
    private record Raw(int status, String coding, String text) {}

    /** @param params the members of the array of parameters */
    Reply call(String method, String params) {
        return ask(method, call(method, params, 1), 0, "identity");
    }

    /** Asks for an answer in gzip, which is not read. */
    Reply callInGzip(String method, String params) {
        return ask(method, call(method, params, 1), 0, "gzip");
    }

    /** Sends so many equal calls in one batch. */
    Reply batch(String method, int size) {
        String batch = IntStream.rangeClosed(1, size)
                .mapToObj(id -> call(method, "", id))
                .collect(Collectors.joining(",", "[", "]"));
        return ask(method, batch, size, "identity");
    }

    /** Asks over a new WebSocket. Returns the words of a failure; empty if it answers. */
    String webSocket(URI url, String method) {
        pause();
        count(method, 1);
        try (Socket opened = new Socket(url)) {
            return judged(method, 0, opened.ask(call(method, "", 1)), 0).words();
        } catch (CompletionException e) {
            return NodesConfig.seen(cause(e));
        }
    }

    /** Returns a text of the node as operators may see it. */
    String shown(String text) {
        RpcError said = new RpcError(0, text, null);
        RpcError clean = clean(said, NodeError.ofProbe(new RpcCall(null, "web3_clientVersion", null), said, 200));
        return clean.message();
    }

    boolean isOverWebSocket() {
        return config.address().getScheme().toLowerCase(java.util.Locale.ROOT).startsWith("ws");
    }

    int requests() {
        return requests;
    }

    int calls() {
        return calls;
    }

    /** Returns how many requests the node refused because of its rate. */
    int limited() {
        return limited;
    }

    /** Returns the units of the calls, by the costs of the configuration. */
    long units() {
        return units;
    }

    private static String call(String method, String params, int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":[" + params + "]}";
    }

    private Reply ask(String method, String text, int size, String coding) {
        if (requests >= MAX_REQUESTS || System.nanoTime() - begunNanos > MAX_TIME.toNanos()) {
            return failed(Fault.TIMEOUT, "not asked: the probe's bound of requests or time is reached", 0);
        }
        pause();
        count(method, Math.max(1, size));
        long begun = System.nanoTime();
        try {
            Raw raw = isOverWebSocket() ? socket().ask(text) : send(text, coding);
            return judged(method, size, raw, System.nanoTime() - begun);
        } catch (CompletionException e) {
            dropSocket();
            return failed(Fault.CONNECT, NodesConfig.seen(cause(e)), System.nanoTime() - begun);
        }
    }

    private static Throwable cause(CompletionException failure) {
        Throwable cause = failure.getCause();
        return cause instanceof CompletionException deeper ? cause(deeper) : cause == null ? failure : cause;
    }

    private void pause() {
        long due = System.nanoTime() + gapNanos;
        for (long left = gapNanos; left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        gapNanos = GAP_NANOS;
    }

    private void count(String method, int more) {
        requests++;
        calls += more;
        units += more * config.budget().costs().of(method, MethodCatalogue.ofName(method).cost());
    }

    private Map<String, String> headers(NodeAddress address, Map<String, String> preset) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        address.headers(preset, config.headers()).forEach(header -> headers.put(header.getKey(), header.getValue()));
        // The JDK's client sets it by the URL.
        headers.remove(HOST);
        return headers;
    }

    private Raw send(String text, String coding) {
        URI url = config.address();
        HttpRequest.Builder request = HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofString(text));
        headers(NodeAddress.ofHttp(url), Map.of("content-type", "application/json"))
                .forEach(request::header);
        request.header("accept-encoding", coding);
        CompletableFuture<HttpResponse<InputStream>> sent =
                http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try {
            return sent.thenApplyAsync(ProbeClient::raw, reader)
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            sent.cancel(true);
            sent.thenAccept(response -> close(response.body()));
        }
    }

    private static Raw raw(HttpResponse<InputStream> response) {
        String coding = response.headers().firstValue("content-encoding").orElse("");
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(MAX_BYTES + 1), StandardCharsets.UTF_8);
            return new Raw(response.statusCode(), coding, text);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException ignored) {
            // Nobody reads it any more.
        }
    }

    /** @param size of the batch; 0 for a single call */
    private Reply judged(String method, int size, Raw raw, long nanos) {
        if (!raw.coding().isEmpty() && raw.status() == 200) {
            return new Reply(MissingNode.getInstance(), "", null, raw.coding(), nanos);
        }
        if (raw.text().length() > MAX_BYTES) {
            return failed(Fault.TOO_LARGE, "an answer over " + (MAX_BYTES >> 20) + " MiB, which is not read", nanos);
        }
        JsonNode json = parsed(raw.text());
        List<JsonNode> answers = json.isArray() ? List.copyOf(json.values()) : List.of(json);
        long whole = answers.stream()
                .filter(answer -> answer.has("result"))
                .map(answer -> answer.path("id"))
                .distinct()
                .count();
        if (raw.status() == 200 && whole == Math.max(1, size) && json.isArray() == size > 0) {
            return new Reply(json, "", null, "", nanos);
        }
        return answers.stream()
                .map(answer -> answer.path("error"))
                .filter(JsonNode::isObject)
                .findFirst()
                .map(error -> refused(method, raw.status(), error, nanos))
                .orElseGet(() -> refused(raw.status(), size, whole, nanos));
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private Reply refused(String method, int status, JsonNode error, long nanos) {
        RpcError said = new RpcError(
                error.path("code").asInt(0), error.path("message").asString(""), null);
        NodeError parsed = NodeError.ofProbe(new RpcCall(null, method, null), said, status);
        String words = (status == 200 ? "" : "HTTP " + status + ", ")
                + clean(said, parsed).message() + " (" + said.code() + ")";
        if (ErrorTable.ofStatus(status) == ErrorClass.RATE_LIMITED || ErrorTable.isRateLimit(said.code())) {
            return limited(words, nanos);
        }
        Verdict verdict = ERRORS.verdict(parsed);
        return verdict.is(ErrorClass.RATE_LIMITED)
                ? limited(words, nanos)
                : refused(words, new Answered(RpcReply.failure(said), status, verdict), nanos);
    }

    private Reply refused(int status, int size, long whole, long nanos) {
        if (status == 200) {
            String words = size == 0 ? "no JSON-RPC answer" : whole + " of " + size + " calls answered";
            return failed(Fault.BAD_ANSWER, words, nanos);
        }
        String words = "HTTP " + status;
        if (ErrorTable.ofStatus(status) == ErrorClass.RATE_LIMITED) {
            return limited(words, nanos);
        }
        return failed(status == TOO_LARGE ? Fault.CALL_TOO_LARGE : Fault.BAD_ANSWER, words, nanos);
    }

    private Reply limited(String words, long nanos) {
        limited++;
        gapNanos = GAP_AFTER_LIMIT_NANOS;
        return failed(Fault.RATE_LIMITED, "rate limited: " + words, nanos);
    }

    private static Reply failed(Fault fault, String words, long nanos) {
        return refused(words, new Failed(fault, Executed.NO, words, 0), nanos);
    }

    private static Reply refused(String words, NodeOutcome refusal, long nanos) {
        return new Reply(MissingNode.getInstance(), words, refusal, "", nanos);
    }

    private RpcError clean(RpcError said, NodeError parsed) {
        RpcError clean = redaction.clean(said, ERRORS.clean(parsed, said, ERRORS.verdict(parsed)));
        String text = clean.message();
        return text.length() <= MAX_WORDS
                ? clean
                : new RpcError(clean.code(), text.substring(0, MAX_WORDS) + "…", null);
    }

    private Socket socket() {
        Socket open = socket;
        if (open == null) {
            open = new Socket(config.address());
            socket = open;
        }
        return open;
    }

    private void dropSocket() {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    @Override
    public void close() {
        dropSocket();
        reader.shutdownNow();
    }

    /** WebSocket that carries one call at a time. The listener runs on threads of the client, one after the other. */
    private final class Socket implements WebSocket.Listener, AutoCloseable {

        private final StringBuilder text = new StringBuilder();
        private final WebSocket connection;
        private volatile CompletableFuture<Raw> answer = new CompletableFuture<>();

        Socket(URI url) {
            WebSocket.Builder builder = http.newWebSocketBuilder();
            headers(NodeAddress.ofWebSocket(url), Map.of()).forEach(builder::header);
            connection = builder.buildAsync(url, this)
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }

        Raw ask(String call) {
            CompletableFuture<Raw> next = new CompletableFuture<>();
            answer = next;
            return connection
                    .sendText(call, true)
                    .thenCompose(sent -> next)
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            if (text.length() <= MAX_BYTES) {
                text.append(part);
            }
            if (last) {
                answer.complete(new Raw(200, "", text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            answer.completeExceptionally(new IOException("closed with status " + status));
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void close() {
            connection.abort();
        }
    }
}
