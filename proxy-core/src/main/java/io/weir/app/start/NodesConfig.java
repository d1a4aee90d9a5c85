package io.weir.app.start;

import com.typesafe.config.ConfigUtil;
import io.weir.api.EthereumKind;
import io.weir.config.ChainPreset;
import io.weir.upstream.link.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The configuration of a proxy about which only the URLs of its nodes are known: the nodes say which chain it is. Messages show no
 * path, user or query of a URL, which may be credentials. Confined to one thread.
 */
public final class NodesConfig {

    private static final JsonMapper JSON = new JsonMapper();
    private static final EthereumKind KIND = new EthereumKind();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MAX_ANSWER = 1 << 16;
    private static final int MAX_PORT = (1 << 16) - 1;
    private static final String QUESTION =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + KIND.chainIdCall().method() + "\",\"params\":[]}";
    private static final List<String> HTTP = List.of("http", "https");
    private static final List<String> WEB_SOCKET = List.of("ws", "wss");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> problems = new ArrayList<>();

    private NodesConfig() {}

    /**
     * Asks nodes for their chain.
     *
     * @param urls of nodes; a WebSocket URL behind an HTTP URL of the same host is of the same node
     * @return the text of a configuration file
     * @throws StartupException if a URL is none, or a node does not answer or serves another chain than the first one
     */
    public static String of(List<String> urls) throws StartupException {
        return new NodesConfig().text(urls);
    }

    /** Returns a URL without the parts that may be credentials. */
    public static String shown(String url) {
        return shown(URI.create(url));
    }

    private static String shown(URI url) {
        boolean plain = url.getRawPath().length() <= 1 && url.getRawQuery() == null && url.getRawUserInfo() == null;
        return plain
                ? url.toString()
                : url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort()) + "/…";
    }

    private String text(List<String> urls) throws StartupException {
        Map<URI, CompletableFuture<String>> answers = new LinkedHashMap<>();
        urls.stream().map(this::url).filter(url -> url != null).forEach(url -> answers.put(url, ask(url)));
        Map<URI, String> chains = new LinkedHashMap<>();
        answers.forEach((url, answer) -> chain(url, answer, chains));
        if (chains.values().stream().distinct().count() > 1) {
            chains.forEach((url, chain) ->
                    problems.add("--node " + shown(url) + ": chain id " + chain + " (expected: nodes of one chain)"));
        }
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
        return text(chains.values().iterator().next(), List.copyOf(chains.keySet()));
    }

    private @Nullable URI url(String text) {
        try {
            URI url = new URI(text);
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            boolean whole = url.getHost() != null && url.getRawFragment() == null && url.getPort() <= MAX_PORT;
            if (whole && (HTTP.contains(scheme) || WEB_SOCKET.contains(scheme))) {
                return url;
            }
        } catch (URISyntaxException ignored) {
            // The message below shows no part of the text.
        }
        problems.add("--node: not a URL (expected: http://HOST:PORT, https://…, ws://… or wss://…)");
        return null;
    }

    private CompletableFuture<String> ask(URI url) {
        return isWebSocket(url)
                ? askWebSocket(url).orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                : askHttp(url);
    }

    private CompletableFuture<String> askHttp(URI url) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(QUESTION));
        String authorization = NodeAddress.ofHttp(url).authorization();
        if (authorization != null) {
            request.header("authorization", authorization);
        }
        return exchange(client, request.build(), NodesConfig::body, PATIENCE);
    }

    /** Sends a request and reads its answer on another thread, all of it in time. The body is closed in any case. */
    public static <T> CompletableFuture<T> exchange(
            HttpClient client, HttpRequest request, Function<HttpResponse<InputStream>, T> reading, Duration patience) {
        CompletableFuture<HttpResponse<InputStream>> sent =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        return sent.thenApplyAsync(reading)
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((read, failure) -> {
                    sent.cancel(true);
                    sent.thenAccept(response -> close(response.body()));
                });
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException ignored) {
            // Nobody reads it any more.
        }
    }

    private static String body(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw new RefusedException("HTTP " + response.statusCode());
            }
            return new String(body.readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private CompletableFuture<String> askWebSocket(URI url) {
        String authorization = NodeAddress.ofWebSocket(url).authorization();
        Map<String, String> headers = authorization == null ? Map.of() : Map.of("authorization", authorization);
        return askWebSocket(client, url, headers.entrySet(), QUESTION, MAX_ANSWER);
    }

    /** Asks over a WebSocket of its own. A part of an answer that is longer than {@code most} characters counts as the whole. */
    public static CompletableFuture<String> askWebSocket(
            HttpClient client, URI url, Iterable<Map.Entry<String, String>> headers, String question, int most) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        StringBuilder text = new StringBuilder();
        WebSocket.Builder socket = client.newWebSocketBuilder();
        headers.forEach(header -> socket.header(header.getKey(), header.getValue()));
        socket.buildAsync(url, new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
                        text.append(part);
                        if (last || text.length() > most) {
                            answer.complete(text.toString());
                            from.abort();
                        }
                        from.request(1);
                        return null;
                    }

                    @Override
                    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
                        answer.completeExceptionally(new RefusedException("closed with status " + status));
                        return null;
                    }

                    @Override
                    public void onError(WebSocket socket, Throwable error) {
                        answer.completeExceptionally(error);
                    }
                })
                .thenCompose(opened -> opened.sendText(question, true))
                .whenComplete((opened, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }

    private void chain(URI url, CompletableFuture<String> answer, Map<URI, String> chains) {
        String seen;
        try {
            JsonNode reply = JSON.readTree(answer.join());
            JsonNode result = reply.path("result");
            if (result.isString()) {
                chains.put(url, KIND.readChainId(result));
                return;
            }
            JsonNode code = reply.path("error").path("code");
            seen = code.isNumber() ? "error " + code : "no JSON-RPC answer";
        } catch (CompletionException e) {
            seen = seen(e.getCause() == null ? e : e.getCause());
        } catch (JacksonException | IllegalArgumentException e) {
            seen = "no JSON-RPC answer";
        }
        problems.add("--node " + shown(url) + ": " + seen + " (expected: an answer to eth_chainId within "
                + PATIENCE.toSeconds() + " s)");
    }

    /** Returns what was seen of a node that did not answer. Other messages of the JDK repeat what a node sent, which may repeat the URL. */
    public static String seen(Throwable failure) {
        if (failure instanceof WebSocketHandshakeException refused) {
            return "no WebSocket: HTTP " + refused.getResponse().statusCode();
        }
        if (failure instanceof RefusedException) {
            return Failures.oneLine(failure);
        }
        if (failure instanceof SSLException) {
            return "a certificate that is not trusted, or no TLS; a file can name its authority in tls.ca";
        }
        return failure instanceof TimeoutException
                ? "no answer"
                : failure instanceof ConnectException ? "no connection" : "neither HTTP nor a WebSocket";
    }

    /** Signals an answer that is none, in words of the proxy's own. */
    private static final class RefusedException extends IOException {

        private static final long serialVersionUID = 1L;

        RefusedException(String seen) {
            super(seen);
        }
    }

    private static String text(String chain, List<URI> urls) {
        String preset = ChainPreset.nameOf(chain);
        StringBuilder text = new StringBuilder("networks." + (preset == null ? "chain-" + chain : preset) + " {\n");
        text.append(preset == null ? "  chain-id = " + chain + "\n" : "  preset = " + preset + "\n");
        int number = 0;
        for (int i = 0; i < urls.size(); i++) {
            URI url = urls.get(i);
            text.append("  upstreams.node-").append(++number).append(" { ").append(setting(url));
            if (i + 1 < urls.size() && isSocketOf(urls.get(i + 1), url)) {
                text.append(", ").append(setting(urls.get(++i)));
            }
            text.append(" }\n");
        }
        return text + """
                }
                # No key is needed. Before server.host is an address that other machines reach, give access.keys in place of this line.
                access.anonymous = true
                plugins.path = []
                """;
    }

    private static boolean isSocketOf(URI socket, URI url) {
        return isWebSocket(socket) && !isWebSocket(url) && socket.getHost().equals(url.getHost());
    }

    private static boolean isWebSocket(URI url) {
        return WEB_SOCKET.contains(url.getScheme().toLowerCase(Locale.ROOT));
    }

    private static String setting(URI url) {
        return (isWebSocket(url) ? "ws-url = " : "url = ") + ConfigUtil.quoteString(url.toString());
    }
}
