package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.RequestAnswer;
import io.weir.testing.NoLeaks;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every status that the listener itself sends, seen by a client that speaks HTTP well. */
@NoLeaks
class HttpStatusIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String ECHO = "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"echo\",\"params\":[1]}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void aCallIsAnsweredUnderItsIdAsItWasWritten() throws Exception {
        HttpResponse<String> answer = post(PATH, ECHO);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":[1]}");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(answer.headers().firstValue("Date")).isPresent();
    }

    @Test
    void aBatchIsAnsweredInOrder() throws Exception {
        HttpResponse<String> answer = post(PATH, "[" + ECHO + ",1," + CALL + "]");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith(
                        "[{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":[1]},{\"jsonrpc\":\"2.0\",\"id\":null,\"error\"")
                .endsWith(",{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"main\"}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"method\":\"echo\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"no_such_method\"}",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"echo\"},{\"jsonrpc\":\"2.0\",\"method\":\"echo\"}]"
            })
    void notificationsGetNoBody(String body) throws Exception {
        HttpResponse<String> answer = post(PATH, body);
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("Content-Type")).isEmpty();
        assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/v3/KEY, main",
        "/v3/KEY/, main",
        "/v3/KEY?key=other, main",
        "/main/v3/KEY, main",
        "/side/v3/KEY, side",
        "/s%69de/v3/KEY, side",
        "/v3/half, main",
        "/v3/h%61lf, main",
    })
    void thePathNamesKeyAndNetwork(String path, String network) throws Exception {
        HttpResponse<String> answer = post(path.replace("KEY", TestProxy.KEY), CALL);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"" + network + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "/v3/wrong, 401",
        "/v3/, 401",
        "/v3, 401",
        "/, 401",
        "/side, 401",
        "/nowhere/v3/wrong, 401",
        "/main/v3, 401",
        "/v3/half%00, 400",
        "/v3/half?%0a, 400",
        "/v3/wrong/more/%7f, 400",
        "/nowhere/v3/half, 404",
        "/side/v3/half, 403",
        "/v3/half/more, 404",
        "//v3/half, 404",
        "/a/b/c/d, 404",
        "/v3/%e2%82, 400",
        "/v3/%g1, 400",
        "/v3/%, 400",
        "/v3/%1, 400",
    })
    void keyNetworkAndPathAreChecked(String path, int status) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer =
                    connection.send(RawConnection.post(path, CALL)).read();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(proxy.runner.calls() + proxy.sideRunner.calls()).isZero();
        }
    }

    @Test
    void anUnknownKeyIsAJsonRpcErrorThatDoesNotRepeatIt() throws Exception {
        HttpResponse<String> answer = post("/v3/secret-or-not", CALL);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(answer.body())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"invalid api key\"}}");
        assertThat(answer.headers().map().toString()).doesNotContain("secret-or-not");
        assertThat(proxy.refused("key")).isEqualTo(1);
    }

    @Test
    void aNetworkThatIsNotPermittedIsAJsonRpcError() throws Exception {
        HttpResponse<String> answer = post("/side/v3/half", CALL);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("\"id\":null").contains("\"code\":-32002");
        assertThat(proxy.refused("permission")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"/, main", "/side, side", "/side/, side"})
    void withoutAKeyOnlyWhereThatIsAllowed(String path, String network) throws Exception {
        assertThat(post(path, CALL).statusCode()).isEqualTo(401);
        proxy.current.publish(proxy.generation(true));
        HttpResponse<String> answer = post(path, CALL);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"" + network + "\"");
        assertThat(post("/v3", CALL).statusCode()).isEqualTo(401);
        assertThat(post("/v3/wrong", CALL).statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({"side.test, side", "SIDE.test:1234, side", "a, main", "side.test., side", "127.0.0.1, main"})
    void theHostNamesTheNetworkWhereThePathDoesNot(String host, String network) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            String request = RawConnection.post(PATH, CALL).replace("localhost", host);
            assertThat(connection.send(request).read().body()).contains("\"" + network + "\"");
            String named = RawConnection.post("/main" + PATH, CALL).replace("localhost", host);
            assertThat(connection.send(named).read().body()).contains("\"main\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"})
    void otherVerbsAreReported(String verb) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer = connection
                    .send(verb + " " + PATH + " HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read();
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("POST");
            assertThat(proxy.refused("verb")).isEqualTo(1);
        }
    }

    @Test
    void aHeadRequestIsAnsweredWithoutBody() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("HEAD " + PATH + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String answer = connection.readToEnd();
            assertThat(answer)
                    .startsWith("HTTP/1.1 405 ")
                    .contains("\r\nAllow: POST\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "APPLICATION/JSON; Charset=UTF-8",
                "application/json;charset=\"utf-8\"",
                "application/json; charset=utf8; version=1",
                "application/json-rpc",
                "application/jsonrequest"
            })
    void jsonTypesAreTaken(String type) throws Exception {
        assertThat(send(HttpRequest.newBuilder(proxy.uri(PATH))
                                .header("Content-Type", type)
                                .POST(HttpRequest.BodyPublishers.ofString(CALL)))
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded",
                "text/plain",
                "multipart/form-data; boundary=a",
                "application/json; charset=utf-16",
                "application/jsonp",
                "json"
            })
    void otherTypesAreNot(String type) throws Exception {
        assertThat(send(HttpRequest.newBuilder(proxy.uri(PATH))
                                .header("Content-Type", type)
                                .POST(HttpRequest.BodyPublishers.ofString(CALL)))
                        .statusCode())
                .isEqualTo(415);
        assertThat(proxy.runner.calls()).isZero();
        assertThat(proxy.refused("type")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{", "\"text\"", "[]", "{\"foo\":\"boo\"}"})
    void invalidRequestsAreAnsweredAsJsonRpcSays(String body) throws Exception {
        HttpResponse<String> answer = post(PATH, body);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith("{")
                .containsAnyOf("-32700", "-32600")
                .contains("\"id\":null");
        assertThat(proxy.runner.calls()).isZero();
    }

    @Test
    void aFailureDecidesTheStatusOfASingleCall() throws Exception {
        fail("forbidden", RpcReply.FailureKind.FORBIDDEN, 9);
        fail("limited", RpcReply.FailureKind.RATE_LIMITED, 3);
        fail("down", RpcReply.FailureKind.UNAVAILABLE, 2);
        fail("plain", RpcReply.FailureKind.ANSWER, 4);
        assertThat(statusAndRetry("forbidden")).isEqualTo("403 9");
        assertThat(statusAndRetry("limited")).isEqualTo("429 3");
        assertThat(statusAndRetry("down")).isEqualTo("503 2");
        assertThat(statusAndRetry("plain")).isEqualTo("200 -");
        assertThat(post(PATH, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"down\"}]")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aBodyRejectedWholeGetsOneObject() throws Exception {
        RpcError error = ErrorCode.LIMIT_EXCEEDED.error();
        RpcReply.Failure failure = new RpcReply.Failure(error, RpcReply.FailureKind.RATE_LIMITED, 5);
        List<RawJson> two = List.of(RawJson.of("1"), RawJson.of("2"));
        proxy.runner.answerAll(body -> new RequestAnswer.Refused(two, failure, true));
        HttpResponse<String> answer = post(PATH, "[]");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(answer.body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32005");
        proxy.runner.answerAll(body -> new RequestAnswer.Refused(two.subList(0, 1), failure, true));
        assertThat(post(PATH, "[]").body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32005");
        proxy.runner.answerAll(body -> new RequestAnswer.Refused(List.of(), failure, true));
        HttpResponse<String> silent = post(PATH, "[]");
        assertThat(silent.statusCode()).isEqualTo(429);
        assertThat(silent.body()).isEmpty();
        proxy.runner.answerAll(
                body -> new RequestAnswer.Refused(two, RpcReply.failure(ErrorCode.INVALID_REQUEST.error()), true));
        HttpResponse<String> never = post(PATH, "[]");
        assertThat(never.statusCode()).isEqualTo(200);
        assertThat(never.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void aRunnerThatThrowsHarmsOneCallOnly() throws Exception {
        proxy.runner.on("bad", (context, sink) -> {
            throw new IllegalStateException("secret detail");
        });
        HttpResponse<String> answer = post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"bad\"}");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("-32603").doesNotContain("secret");
        assertThat(post(PATH, CALL).statusCode()).isEqualTo(200);
    }

    @Test
    void responseHeadersSayWhatBecameOfACall() throws Exception {
        proxy.runner.on("asked", (context, sink) -> {
            context.trace().markForwarded();
            context.trace().markDegraded();
            context.trace().answeredBy("no\r\nde\"1", 12_345_678);
            sink.accept(new RpcReply.Result(RawJson.of("true")));
        });
        HttpResponse<String> asked = post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"asked\"}");
        assertThat(asked.headers().firstValue("Cache-Status")).hasValue("weir; fwd=method");
        assertThat(asked.headers().firstValue("Weir-Degraded")).hasValue("1");
        assertThat(asked.headers().firstValue("Server-Timing").orElseThrow())
                .matches("total;dur=\\d+\\.\\d{3}, upstream;dur=12\\.345;desc=\"no__de_1\"");
        HttpResponse<String> local = post(PATH, CALL);
        assertThat(local.headers().firstValue("Cache-Status")).isEmpty();
        assertThat(local.headers().firstValue("Weir-Degraded")).isEmpty();
        assertThat(local.headers().firstValue("Server-Timing").orElseThrow()).matches("total;dur=\\d+\\.\\d{3}");
    }

    private void fail(String method, RpcReply.FailureKind kind, int seconds) {
        RpcReply reply = new RpcReply.Failure(ErrorCode.INTERNAL_ERROR.error(), kind, seconds);
        proxy.runner.on(method, (context, sink) -> sink.accept(reply));
    }

    private String statusAndRetry(String method) throws Exception {
        HttpResponse<String> answer = post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}");
        return answer.statusCode() + " "
                + answer.headers().firstValue("Retry-After").orElse("-");
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send(HttpRequest.newBuilder(proxy.uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
