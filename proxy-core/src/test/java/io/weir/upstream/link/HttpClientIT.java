package io.weir.upstream.link;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Form of requests, and meaning of each kind of answer. */
@NoLeaks
class HttpClientIT {

    private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x1\"}";
    private static final String ERROR =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x\"}}";

    @RegisterExtension
    private final WireMockExtension node = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort().bindAddress("127.0.0.1"))
            .build();

    private final ClientBench bench = new ClientBench(1);

    @AfterEach
    void end() {
        bench.close();
    }

    private NodeOutcome outcome(ResponseDefinitionBuilder answer) {
        node.stubFor(post("/").willReturn(answer));
        return bench.outcome(bench.client("http://127.0.0.1:" + node.getPort()));
    }

    private static Answered result() {
        return new Answered(new RpcReply.Result(RawJson.of("\"0x1\"")));
    }

    private static Answered error(int status) {
        return new Answered(
                RpcReply.failure(new RpcError(3, "execution reverted", RawJson.of("\"0x\""))), status, null);
    }

    @Test
    void aRequestCarriesTheCallAndWhatTheConfigurationAdds() {
        bench.headers.put("x-team", "blue");
        bench.headers.put("content-length", "3");
        bench.headers.put("Accept-Encoding", "gzip");
        node.stubFor(post("/v1/se%20cret?a=1%262").willReturn(aResponse().withBody(RESULT)));
        String url = "http://us%3Aer:pass%2Bw+d@127.0.0.1:" + node.getPort() + "/v1/se%20cret?a=1%262";
        assertThat(bench.outcome(bench.client(url))).isEqualTo(result());
        node.verify(
                1,
                postRequestedFor(urlEqualTo("/v1/se%20cret?a=1%262"))
                        .withHeader("Host", equalTo("127.0.0.1:" + node.getPort()))
                        .withHeader("Content-Type", equalTo("application/json"))
                        .withHeader("Content-Length", equalTo("62"))
                        .withHeader("Transfer-Encoding", absent())
                        .withHeader("Accept-Encoding", absent())
                        .withHeader("X-Team", equalTo("blue"))
                        .withHeader("Authorization", equalTo("Basic dXM6ZXI6cGFzcyt3K2Q="))
                        .withRequestBody(equalToJson(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_test\",\"params\":[\"é\",1]}")));
    }

    @Test
    void aHeaderThatCannotBeSentIsRefusedWithoutShowingIt() {
        bench.headers.put("x-key", "secret\r\nx: y");
        assertThatThrownBy(() -> bench.client("http://127.0.0.1:1/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headers.x-key: (expected: a header that HTTP can carry)")
                .hasNoCause();
    }

    @Test
    void aUrlThatCannotBeAskedIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> bench.client("ftp://user:secret@127.0.0.1/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("url: (expected: http:// or https:// and a host)");
    }

    @Test
    void aResultIsAnAnswer() {
        assertThat(outcome(aResponse().withBody(RESULT))).isEqualTo(result());
    }

    @Test
    void anIdInQuotesIsTheSameId() {
        assertThat(outcome(aResponse().withBody(RESULT.replace(":1,", ":\"1\","))))
                .isEqualTo(result());
    }

    @Test
    void aByteOrderMarkBeforeAnAnswerIsSkipped() {
        assertThat(outcome(aResponse().withBody("\ufeff" + RESULT))).isEqualTo(result());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "identity"})
    void aContentCodingThatIsNoneIsIgnored(String coding) {
        assertThat(outcome(aResponse().withHeader("Content-Encoding", coding).withBody(RESULT)))
                .isEqualTo(result());
    }

    @Test
    void anErrorOfTheNodeIsAnAnswer() {
        assertThat(outcome(aResponse().withBody(ERROR))).isEqualTo(error(200));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 413, 422})
    void anErrorOfTheNodeUnderAClientErrorStatusIsAnAnswer(int status) {
        assertThat(outcome(aResponse().withStatus(status).withBody(ERROR))).isEqualTo(error(status));
    }

    @Test
    void anErrorWithoutAnIdIsAnAnswer() {
        assertThat(outcome(aResponse().withStatus(400).withBody(ERROR.replace("\"id\":1", "\"id\":null"))))
                .isEqualTo(error(400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>too large</html>"})
    void aCallThatIsTooLargeForTheNodeIsNoFaultOfIt(String body) {
        NodeOutcome.Failed failed =
                (NodeOutcome.Failed) outcome(aResponse().withStatus(413).withBody(body));

        assertThat(failed.fault()).isEqualTo(NodeOutcome.Fault.CALL_TOO_LARGE);
        assertThat(failed.executed()).isEqualTo(NodeOutcome.Executed.NO);
        assertThat(failed.flaw()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"200,7", "200,null", "200,\"2\"", "200,\"1.0\"", "200,1.0", "201,2"})
    void aResultUnderAnotherIdIsNoAnswer(int status, String id) {
        NodeOutcome outcome = outcome(aResponse().withStatus(status).withBody(RESULT.replace(":1,", ':' + id + ',')));
        assertThat(outcome).isEqualTo(Failed.of(Flaw.WRONG_ID, "HTTP " + status + " and an answer to another id"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    ``, TRUNCATED
                    <html>, NOT_JSON
                    `{"id":1,"result":`, TRUNCATED
                    `{"id":1,"result":2}}`, TRAILING_BYTES
                    [], NOT_AN_OBJECT
                    null, NOT_AN_OBJECT
                    `{"id":[1],"result":2}`, BAD_ID
                    `{"id":1,"id":1,"result":2}`, DUPLICATE_MEMBER
                    `{"id":1,"result":2,"error":{"code":3,"message":"x"}}`, BOTH_RESULT_AND_ERROR
                    `{"id":1}`, NEITHER_RESULT_NOR_ERROR
                    `{"id":1,"error":{"code":"3","message":"x"}}`, BAD_ERROR
                    """)
    void aBodyThatIsNoJsonRpcIsNoAnswerAndHasAName(String body, Flaw flaw) {
        assertThat(outcome(aResponse().withBody(body))).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.fault()).isEqualTo(Fault.BAD_ANSWER);
            assertThat(failed.flaw()).isEqualTo(flaw);
            assertThat(failed.executed()).isEqualTo(Executed.MAYBE);
            assertThat(failed.detail()).startsWith("HTTP 200 and no JSON-RPC answer: ");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 400, 404})
    void nullUnderAnyOtherStatusIsNoAnswer(int status) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}";
        assertThat(outcome(aResponse().withStatus(status).withBody(body)))
                .isEqualTo(Failed.of(Flaw.HTTP_STATUS, "HTTP " + status));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}",
                "{\"jsonrpc\":\"2.0\",\"id\":77,\"error\":{\"code\":3,\"message\":\"no\"}}"
            })
    void aServerErrorMayHaveExecutedTheCallUnlessItsBodyAnswersIt(String body) {
        for (int status : new int[] {500, 502, 503, 504, 520}) {
            assertThat(outcome(aResponse().withStatus(status).withBody(body)))
                    .isEqualTo(new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP " + status, 0, Flaw.SERVER_ERROR));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422, 429, 402, 500, 503})
    void aResultOrARevertIsAnAnswerWhateverTheStatus(int status) {
        for (String retryAfter : List.of("", "5")) {
            int pause = retryAfter.isEmpty() || !List.of(429, 402, 503).contains(status) ? 0 : 5;
            ResponseDefinitionBuilder answer = aResponse().withStatus(status);
            if (!retryAfter.isEmpty()) {
                answer.withHeader("Retry-After", retryAfter);
            }
            Answered result = (Answered) outcome(answer.withBody(RESULT));
            assertThat(result.reply()).isEqualTo(result().reply());
            Answered revert = (Answered) outcome(answer.withBody(ERROR));
            assertThat(revert.reply()).isEqualTo(error(status).reply());
            if (!retryAfter.isEmpty()) {
                assertThat(result.retryAfterSeconds()).isEqualTo(pause);
                assertThat(revert.retryAfterSeconds()).isEqualTo(pause);
            }
        }
    }

    @Test
    void thePauseOfTheHeadComesBeforeThatOfTheBody() {
        String body = "{\"error\":{\"code\":-32005,\"data\":{\"rate\":{\"backoff_seconds\":30}}}}";
        assertThat(outcome(aResponse()
                        .withStatus(429)
                        .withHeader("Retry-After", "17")
                        .withBody(body)))
                .isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", 17));
    }

    @Test
    void theHeadCountsIfTheBodySaysOnlyThatTheNodeFailed() {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"busy\"}}";
        assertThat(outcome(aResponse()
                        .withStatus(503)
                        .withHeader("Retry-After", "5")
                        .withBody(body)))
                .isEqualTo(new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP 503", 5, Flaw.SERVER_ERROR));
        assertThat(outcome(aResponse().withStatus(429).withBody(body)))
                .isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void refusedCredentialsAreReported(int status) {
        assertThat(outcome(aResponse().withStatus(status).withBody(ERROR)))
                .isEqualTo(
                        new Failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (HTTP " + status + ")", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "429,,0",
        "429,17,17",
        "429,86400,3600",
        "429,99999999999999999999,3600",
        "429,soon,0",
        "402,,3600",
        "402,60,60"
    })
    void aRateLimitTellsWhenToComeBack(int status, String retryAfter, int seconds) {
        ResponseDefinitionBuilder answer = aResponse().withStatus(status).withBody("slow down");
        if (retryAfter != null) {
            answer.withHeader("Retry-After", retryAfter);
        }
        assertThat(outcome(answer)).isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP " + status, seconds));
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 402})
    void aRateLimitWithoutAHeaderTellsItInItsBody(int status) {
        String body = "{\"error\":{\"code\":-32005,\"data\":{\"rate\":{\"backoff_seconds\":30}}}}";
        assertThat(outcome(aResponse().withStatus(status).withBody(body)))
                .isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP " + status, 30));
    }

    @Test
    void theBodyOfARateLimitIsNotReadBeyondABound() {
        String body = "{\"backoff_seconds\":30, \"text\":\"" + "x".repeat(1 << 17) + "\"}";
        assertThat(outcome(aResponse().withStatus(429).withBody(body)))
                .isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", 0));
    }

    @Test
    void anUnavailableNodeTellsWhenToComeBackToo() {
        assertThat(outcome(aResponse().withStatus(503).withHeader("Retry-After", "5")))
                .isEqualTo(new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP 503", 5, Flaw.SERVER_ERROR));
    }

    @ParameterizedTest
    @CsvSource({"429,0", "402,3600"})
    void aRateLimitInAnErrorIsOne(int code, int seconds) {
        String body = ERROR.replace("\"code\":3", "\"code\":" + code);
        assertThat(outcome(aResponse().withBody(body)))
                .isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "error " + code, seconds));
    }

    @Test
    void anUnrequestedCodingIsNoAnswer() {
        assertThat(outcome(aResponse().withHeader("Content-Encoding", "br").withBody(RESULT)))
                .isEqualTo(Failed.of(Flaw.UNREQUESTED_CODING, "a content coding that was not asked for"));
    }

    @Test
    void anAnswerOverTheBoundIsReported() {
        bench.maxResponseBytes = RESULT.length() - 1;
        assertThat(outcome(aResponse().withBody(RESULT)))
                .isEqualTo(Failed.of(Flaw.TOO_LARGE, "the answer is larger than allowed"));
    }

    @Test
    void anAnswerOfExactlyTheBoundIsRead() {
        bench.maxResponseBytes = RESULT.length();
        assertThat(outcome(aResponse().withBody(RESULT))).isEqualTo(result());
    }
}
