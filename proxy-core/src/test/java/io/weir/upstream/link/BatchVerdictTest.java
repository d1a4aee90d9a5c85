package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.link.BatchMessage.BatchVerdict;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to four calls with the ids 11 to 14. */
class BatchVerdictTest {

    private static final List<RpcCall> CALLS = Collections.nCopies(4, new RpcCall(null, "eth_getBalance", null));

    private final BatchVerdict verdicts = new BatchVerdict();

    private BatchMessage.Answer answer(int status, String body) throws MalformedReplyException {
        byte[] bytes = body.getBytes(UTF_8);
        return verdicts.of(status, bytes, bytes.length, 11, CALLS);
    }

    private List<Optional<NodeOutcome>> each(String body) throws MalformedReplyException {
        return each(200, body);
    }

    private List<Optional<NodeOutcome>> each(int status, String body) throws MalformedReplyException {
        BatchMessage.Answer answer = answer(status, body);
        assertThat(answer).isInstanceOf(BatchMessage.Answer.Each.class);
        return ((BatchMessage.Answer.Each) answer).outcomes();
    }

    private static String result(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"of " + id + "\"}";
    }

    private static String error(String id, int code, String message) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":\"" + message
                + "\"}}";
    }

    private static void assertResult(Optional<NodeOutcome> outcome, int id) {
        assertThat(outcome).contains(new Answered(new RpcReply.Result(RawJson.of("\"of " + id + "\""))));
    }

    private static Flaw flaw(Optional<NodeOutcome> outcome) {
        return ((Failed) outcome.orElseThrow()).flaw();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500})
    void withAStatusOfFailureAllButNullCounts(int status) throws Exception {
        List<Optional<NodeOutcome>> outcomes = each(
                status,
                "[" + result(11) + "," + error("12", 3, "execution reverted") + ",{\"id\":13,\"result\":null}]");
        assertResult(outcomes.get(0), 11);
        assertThat(((Answered) outcomes.get(1).orElseThrow()).reply()).isInstanceOf(RpcReply.Failure.class);
        assertThat(outcomes.get(2)).as("sent singly").isEmpty();
    }

    @Test
    void answersBelongToTheCallsWhoseIdsTheyHaveWhateverTheirOrder() throws Exception {
        var outcomes = each("[" + result(13) + "," + result(11) + "," + result(14) + "," + result(12) + "]");
        for (int i = 0; i < 4; i++) {
            assertResult(outcomes.get(i), 11 + i);
        }
    }

    @Test
    void idsInQuotesAreTheSameIds() throws Exception {
        var outcomes = each(("[" + result(14) + "," + result(12) + "," + result(11) + "," + result(13) + "]")
                .replaceAll("\"id\":(\\d+)", "\"id\":\"$1\""));
        for (int i = 0; i < 4; i++) {
            assertResult(outcomes.get(i), 11 + i);
        }
    }

    @Test
    void aBadElementIsItsOwnCallsAlone() throws Exception {
        var outcomes = each("[" + result(11) + ",{\"id\":12,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}},"
                + error("13", 3, "execution reverted") + "," + result(14) + "]");
        assertResult(outcomes.get(0), 11);
        assertThat(flaw(outcomes.get(1))).isEqualTo(Flaw.BOTH_RESULT_AND_ERROR);
        assertThat(((Answered) outcomes.get(2).orElseThrow()).reply()).isInstanceOf(RpcReply.Failure.class);
        assertResult(outcomes.get(3), 14);
    }

    @Test
    void aCallWithoutAnAnswerIsSentSingly() throws Exception {
        var outcomes = each("[" + result(11) + "," + result(14) + "," + result(12) + "]");
        assertResult(outcomes.get(0), 11);
        assertResult(outcomes.get(1), 12);
        assertThat(outcomes.get(2)).isEmpty();
        assertResult(outcomes.get(3), 14);
    }

    @Test
    void ofTwoAnswersToOneCallNeitherIsTrusted() throws Exception {
        var outcomes = each("[" + result(11) + "," + result(12) + "," + result(12) + "," + result(14) + "]");
        assertThat(flaw(outcomes.get(1))).isEqualTo(Flaw.DUPLICATE_ANSWER);
        assertThat(outcomes.get(2)).isEmpty();
        assertResult(outcomes.get(3), 14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "15", "\"15\"", "12.0", "-12", "1e1", "1234567890123456789012"})
    void anAnswerToAnotherIdMatchesNoCall(String id) throws Exception {
        var outcomes = each("[" + result(11) + ",{\"id\":" + id + ",\"result\":1}," + result(13) + "]");
        assertResult(outcomes.get(0), 11);
        assertThat(flaw(outcomes.get(1))).isEqualTo(Flaw.WRONG_ID);
        assertResult(outcomes.get(2), 13);
        assertThat(flaw(outcomes.get(3))).isEqualTo(Flaw.WRONG_ID);
    }

    /** These ids would be the same as those of the proxy if each of their characters counted as a digit. */
    @ParameterizedTest
    @CsvSource({"null, 69560", "1e1, 631", "12.0, 1180"})
    void charactersOtherThanDigitsMakeNoId(String id, int first) throws Exception {
        byte[] bytes = ("[{\"id\":" + id + ",\"result\":1}," + result(first + 1) + "]").getBytes(UTF_8);
        BatchMessage.Answer.Each each = (BatchMessage.Answer.Each) verdicts.of(200, bytes, bytes.length, first, CALLS);
        assertThat(each.outcomes().get(0))
                .isNotEqualTo(Optional.of(new Answered(new RpcReply.Result(RawJson.of("1")))));
        assertResult(each.outcomes().get(1), first + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}", "17", "{\"error\":1}"})
    void anAnswerWithoutAnIdMayBelongToAnyUnansweredCall(String element) throws Exception {
        var outcomes = each("[" + result(11) + "," + element + "," + result(13) + "]");
        assertResult(outcomes.get(0), 11);
        assertThat(outcomes.get(1)).as("asked singly").isEmpty();
        assertResult(outcomes.get(2), 13);
        assertThat(outcomes.get(3)).as("asked singly").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-32003,response too large",
        "-32002,request timed out",
        "-32005,batch response limit",
        "-32000,query exceeds max results"
    })
    void aCallWhoseErrorMayBeTheBatchsIsSentSingly(int code, String message) throws Exception {
        var outcomes = each("[" + result(11) + "," + error("12", code, message) + "," + result(13) + ","
                + error("14", -32602, "invalid params") + "]");
        assertThat(outcomes.get(1)).isEmpty();
        assertResult(outcomes.get(2), 13);
        assertThat(outcomes.get(3)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 402})
    void aRateLimitOfOneCallIsItsOwn(int code) throws Exception {
        var outcomes = each(
                "[" + result(11) + "," + error("12", code, "slow down") + "," + result(13) + "," + result(14) + "]");
        assertThat(((Failed) outcomes.get(1).orElseThrow()).fault()).isEqualTo(Fault.RATE_LIMITED);
        assertResult(outcomes.get(3), 14);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|object|-32600|batch too large|2",
                "200|array|-32600|batch too large|2",
                "400|object|-32600|Invalid request|1",
                "400|array|-32600|Invalid request|1",
                "200|object|-32601|batches are not supported here|1",
                "413|object|-32014|no|2",
                "413|array|-32014|no|2",
                "200|object|-32005|batch limit exceeded|2",
                "200|object|-32603|Internal error|1"
            })
    void anErrorInPlaceOfTheAnswersRefusesTheBatch(int status, String form, int code, String message, int maxCalls)
            throws Exception {
        for (String id : List.of("null", "11")) {
            String one = error(id, code, message);
            assertThat(answer(status, form.equals("array") ? "[" + one + "]" : one))
                    .isEqualTo(new BatchMessage.Answer.Refused(maxCalls));
        }
    }

    @Test
    void aRateLimitOrARefusalOfCredentialsIsThatOfEveryCall() throws Exception {
        assertThat(answer(200, error("null", 429, "no more"))).satisfies(answer -> {
            NodeOutcome outcome = ((BatchMessage.Answer.Same) answer).outcome();
            assertThat(((Failed) outcome).fault()).isEqualTo(Fault.RATE_LIMITED);
        });
        for (String words : List.of("rate limit exceeded", "invalid api key")) {
            assertThat(answer(200, error("null", -32600, words))).satisfies(answer -> {
                NodeOutcome outcome = ((BatchMessage.Answer.Same) answer).outcome();
                assertThat(((Answered) outcome).reply()).isInstanceOf(RpcReply.Failure.class);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|{\"id\":11,\"result\":1}|NOT_AN_ARRAY",
                "404|{\"id\":11,\"result\":1}|HTTP_STATUS",
                "400|[{\"id\":11,\"result\":null},{\"id\":12,\"result\":null}]|HTTP_STATUS",
                "200|[{\"id\":1,\"result\":1},{\"id\":2,\"result\":1}]|WRONG_ID",
            })
    void anAnswerToNoneOfTheCallsFailsTheWholeBatch(int status, String body, Flaw flaw) throws Exception {
        NodeOutcome outcome = ((BatchMessage.Answer.Same) answer(status, body)).outcome();
        assertThat(((Failed) outcome).flaw()).isEqualTo(flaw);
    }

    @Test
    void aBatchWithoutAnyAnswerIsRefused() throws Exception {
        assertThat(answer(200, "[]")).isEqualTo(new BatchMessage.Answer.Refused(1));
    }

    @Test
    void moreAnswersThanCallsAreNotRead() {
        String five = "[" + String.join(",", Collections.nCopies(5, result(11))) + "]";
        assertThatThrownBy(() -> answer(200, five)).isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void aBatchThatIsTooLargeIsSentInHalves() throws Exception {
        assertThat(answer(413, "[]")).isEqualTo(new BatchMessage.Answer.Refused(2));
    }
}
