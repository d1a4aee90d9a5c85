package io.weir.app;

import io.weir.app.LogFill.Answer;
import io.weir.app.LogFill.Outcome;
import io.weir.app.LogFill.Range;
import io.weir.app.start.Failures;
import io.weir.app.start.NodesConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.method.ChainCalls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The running proxy as its client sees it: asks for all logs of blocks, on condition that they are proven to be complete. Reads answers
 * while they arrive, and holds none. Confined to one thread.
 */
final class LogsClient {

    /** The calls to nodes for a block with logs: for its header, the whole block and its receipts. Others take the first one. */
    static final int MAX_CALLS = 3;

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_WORDS = 200;
    /** The proxy's errors for lists that are shorter for fewer blocks. */
    private static final Pattern TOO_LARGE = Pattern.compile("larger than|too large|fewer blocks");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest.Builder request;
    private final String from;
    private final Duration patience;

    /**
     * @param url of the network at the proxy
     * @param key the API key; null for none
     * @param patience for a whole answer
     * @throws IllegalArgumentException if the URL is none of HTTP
     */
    LogsClient(URI url, @Nullable String key, Duration patience) {
        this.request = HttpRequest.newBuilder(url).header("Content-Type", "application/json");
        this.from = " from " + NodesConfig.shown(url.toString());
        this.patience = patience;
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
    }

    /**
     * Returns the number of the network's finalized block.
     *
     * @throws IOException if the proxy does not tell it
     */
    long finalized() throws IOException {
        Reply reply = ask(ChainCalls.BLOCK_BY_NUMBER, "\"finalized\",false");
        if (reply.number == null) {
            throw new IOException(
                    reply.words() + from
                            + " (expected: the finalized block, from a proxy that serves the network with the key in WEIR_KEY)");
        }
        return Long.decode(reply.number);
    }

    Answer logs(Range blocks) {
        request.setHeader("Weir-Require", "logs");
        String filter = "{\"fromBlock\":\"0x%x\",\"toBlock\":\"0x%x\"}".formatted(blocks.from(), blocks.to());
        try {
            return ask(ChainCalls.LOGS, filter).answer(blocks);
        } catch (IOException e) {
            return new Answer(Outcome.LATER, Failures.oneLine(e), 0, 0);
        }
    }

    private Reply ask(String method, String params) throws IOException {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":[" + params + "]}";
        HttpRequest post =
                request.POST(HttpRequest.BodyPublishers.ofString(call)).build();
        try {
            return NodesConfig.exchange(http, post, Reply::new, patience).join();
        } catch (CompletionException e) {
            String words = Failures.oneLine(e.getCause() == null ? e : e.getCause());
            throw new IOException("no whole answer" + from + ": " + words, e);
        }
    }

    /** Answer of the proxy, as far as it matters here. Confined to one thread at a time. */
    private static final class Reply {

        private final int status;
        private final HttpHeaders headers;
        private boolean hasResult;
        private boolean hasError;
        private int code;
        private @Nullable String message;
        private @Nullable String number;
        private @Nullable String block;
        private long blocksWithLogs;

        /** Reads an answer to its end. The names of members say enough, whichever object has them. */
        Reply(HttpResponse<InputStream> response) {
            this.status = response.statusCode();
            this.headers = response.headers();
            try (InputStream body = response.body();
                    JsonParser json = JSON.createParser(body)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    if (token == JsonToken.PROPERTY_NAME) {
                        read(json);
                    }
                }
            } catch (JacksonException e) {
                // Other statuses may have plain text.
                if (status == 200) {
                    throw e;
                }
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        }

        private void read(JsonParser json) {
            switch (json.currentName()) {
                case "result" -> hasResult = true;
                case "error" -> hasError = true;
                case "code" -> code = json.nextIntValue(0);
                case "message" -> message = json.nextStringValue();
                case "number" -> number = json.nextStringValue();
                case "blockNumber" -> {
                    // A list of logs is in the order of blocks.
                    String next = String.valueOf(json.nextStringValue());
                    blocksWithLogs += next.equals(block) ? 0 : 1;
                    block = next;
                }
                default -> {}
            }
        }

        Answer answer(Range blocks) {
            boolean succeeded = status == 200 && hasResult && !hasError;
            long most = succeeded ? blocks.length() + (MAX_CALLS - 1) * blocksWithLogs : MAX_CALLS * blocks.length();
            long calls = hasAsked() ? most : 0;
            if (succeeded) {
                return header("Weir-Logs").equals("complete")
                        ? new Answer(Outcome.COMPLETE, "", calls, 0)
                        : new Answer(Outcome.FAILED, "no header Weir-Logs: complete", calls, 0);
            }
            String after = header("Retry-After");
            long seconds = after.matches("\\d{1,9}") ? Long.parseLong(after) : 0;
            return new Answer(outcome(), words(), calls, TimeUnit.SECONDS.toNanos(seconds));
        }

        private Outcome outcome() {
            if (status == 429 || status >= 500 || code == ErrorCode.LIMIT_EXCEEDED.code()) {
                return Outcome.LATER;
            }
            if (status == 413 || TOO_LARGE.matcher(words()).find()) {
                return Outcome.TOO_LARGE;
            }
            return status == 200 ? Outcome.FAILED : Outcome.REFUSED;
        }

        /** Returns whether nodes were asked, as far as the headers tell. */
        private boolean hasAsked() {
            String cache = header("Cache-Status");
            String times = header("Server-Timing");
            return !cache.contains("hit") && (cache.contains("fwd") || times.isEmpty() || times.contains("upstream"));
        }

        private String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        /** Returns the error in one line. */
        String words() {
            String text = message == null ? "no result" : message.replaceAll("\\p{Cntrl}+", " ");
            return (status == 200 ? "" : "HTTP " + status + ", ")
                    + (text.length() > MAX_WORDS ? text.substring(0, MAX_WORDS) : text)
                    + (code == 0 ? "" : " (" + code + ")");
        }
    }
}
