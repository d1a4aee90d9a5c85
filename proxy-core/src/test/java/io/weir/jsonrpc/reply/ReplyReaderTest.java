package io.weir.jsonrpc.reply;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException.Reason;
import io.weir.jsonrpc.reply.ReplyReader.BatchReply;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyReaderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"0x1\"",
                "\"\"",
                "true",
                "false",
                "0",
                "-1.5e3",
                "[]",
                "{}",
                "[{\"a\":[1, 2]},\"]\"]",
                "{ \"id\":2, \"error\":{\"code\":1} }",
                "\"\\\"}\""
            })
    void aResultIsTheSliceThatTheNodeWrote(String value) throws MalformedReplyException {
        for (String body : List.of(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + value + "}",
                " {\"result\" : " + value + " , \"id\" : 7}\n",
                "{\"id\":7,\"extra\":[{}],\"error\":null,\"result\":" + value + "}",
                "{\"id\":7,\"r\\u0065sult\":" + value + "}")) {
            byte[] bytes = ("##" + body + "##").getBytes(UTF_8);
            NodeReply reply = ReplyReader.read(bytes, 2, bytes.length - 4);
            assertThat(reply.id()).hasToString("7");
            assertThat(reply.reply()).isInstanceOfSatisfying(RpcReply.Result.class, result -> {
                assertThat(result.value()).hasToString(value);
                assertThat(result.value().array()).isSameAs(bytes);
            });
        }
    }

    @Test
    void anErrorHasItsCodeItsMessageAndItsDataAsWritten() throws MalformedReplyException {
        RpcError error =
                error("{\"id\":1,\"error\":{\"data\":{ \"x\":1},\"extra\":0,\"message\":\"a\\nb\",\"code\":-32000}}");
        assertThat(error.code()).isEqualTo(-32000);
        assertThat(error.message()).isEqualTo("a\nb");
        assertThat(error.data()).hasToString("{ \"x\":1}");
    }

    @ParameterizedTest
    @CsvSource({
        "-32000.0, -32000",
        "-3.2601E+4, -32601",
        "0e99999999999, -32000",
        "-0, 0",
        "2147483647.000, 2147483647",
        "2147483648, -32000",
        "-99999999999999999999999999999999999999999999999999999999999999999999999, -32000",
        "1.5, -32000",
        "1e2147483647, -32000",
        "1e-2147483647, -32000"
    })
    void aCodeMayBeWrittenAsAnyNumber(String written, int code) throws MalformedReplyException {
        assertThat(error("{\"id\":1,\"error\":{\"code\":" + written + ",\"message\":\"m\"}}"))
                .isEqualTo(new RpcError(code, "m", null));
    }

    @Test
    void aMessageMayBeMissingAndANullResultMayStandBeside() throws MalformedReplyException {
        RpcError error = error("{\"id\":1,\"result\":null,\"error\":{\"code\":3}}");
        assertThat(error).isEqualTo(new RpcError(3, "", null));
    }

    @Test
    void withoutAnIdItIsNull() throws MalformedReplyException {
        assertThat(read("{\"error\":{\"code\":3,\"message\":\"\"}}").id()).isEqualTo(RawJson.NULL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|TRUNCATED",
                "<html>|NOT_JSON",
                "{\"id\":1,\"result\":}|NOT_JSON",
                "{\"id\":,\"result\":1}|NOT_JSON",
                "{\"id\":1,\"result\":0x1}|NOT_JSON",
                "{\"id\":1,\"result\":[1}}|NOT_JSON",
                "{\"id\":1,\"result\":[1,2|TRUNCATED",
                "{\"id\":1,\"result\":\"0x|TRUNCATED",
                "{\"id\":1,\"result\":1}}|TRAILING_BYTES",
                "{\"id\":1,\"result\":1} {|TRAILING_BYTES",
                "null|NOT_AN_OBJECT",
                "[{\"id\":1,\"result\":1}]|NOT_AN_OBJECT",
                "\"rate limited\"|NOT_AN_OBJECT",
                "{}|NEITHER_RESULT_NOR_ERROR",
                "{\"id\":1}|NEITHER_RESULT_NOR_ERROR",
                "{\"id\":1,\"error\":null}|NEITHER_RESULT_NOR_ERROR",
                "{\"id\":1,\"Result\":1}|NEITHER_RESULT_NOR_ERROR",
                "{\"id\":1,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}}|BOTH_RESULT_AND_ERROR",
                "{\"id\":1,\"result\":1,\"result\":1}|DUPLICATE_MEMBER",
                "{\"id\":1,\"result\":1,\"r\\u0065sult\":1}|DUPLICATE_MEMBER",
                "{\"id\":1,\"id\":1,\"result\":1}|DUPLICATE_MEMBER",
                "{\"error\":null,\"error\":{\"code\":1}}|DUPLICATE_MEMBER",
                "{\"error\":{\"code\":1,\"code\":1}}|DUPLICATE_MEMBER",
                "{\"id\":[1],\"result\":1}|BAD_ID",
                "{\"id\":true,\"result\":1}|BAD_ID",
                "{\"id\":1,\"error\":\"rate limited\"}|BAD_ERROR",
                "{\"id\":1,\"error\":{}}|BAD_ERROR",
                "{\"id\":1,\"error\":{\"message\":\"x\"}}|BAD_ERROR",
                "{\"id\":1,\"error\":{\"code\":\"1\",\"message\":\"x\"}}|BAD_ERROR",
                "{\"id\":1,\"error\":{\"code\":true,\"message\":\"x\"}}|BAD_ERROR",
                "{\"id\":1,\"error\":{\"code\":null,\"message\":\"x\"}}|BAD_ERROR",
                "{\"id\":1,\"error\":{\"code\":1,\"message\":{}}}|BAD_ERROR"
            })
    void aMalformedReplyIsNamed(String body, Reason reason) {
        MalformedReplyException malformed = malformed(body.getBytes(UTF_8));
        assertThat(malformed.reason()).isEqualTo(reason);
        assertThat(malformed).hasMessageMatching("byte \\d+: .+");
        assertThat(malformed.getStackTrace()).isEmpty();
    }

    @Test
    void bytesThatBreakAnEnvelopeAreRejectedWithinAResultToo() {
        assertThat(malformed("{\"id\":1,\"result\":[\"\n\"]}".getBytes(UTF_8)).reason())
                .isEqualTo(Reason.NOT_JSON);
        assertThat(malformed("{\"id\":1,\"result\":[\"\u00ff\"]}".getBytes(ISO_8859_1))
                        .reason())
                .isEqualTo(Reason.NOT_JSON);
        assertThat(malformed("{\"id\":1,\"result\":[\u0000]}".getBytes(ISO_8859_1))
                        .reason())
                .isEqualTo(Reason.NOT_JSON);
    }

    @Test
    void tracesNestDeeplyButNotWithoutBound() throws MalformedReplyException {
        String head = "{\"id\":1,\"result\":";
        assertThat(read(head + "[".repeat(1000) + "]".repeat(1000) + "}").reply())
                .isInstanceOf(RpcReply.Result.class);
        assertThat(malformed((head + "[".repeat(100_000)).getBytes(UTF_8)).reason())
                .isEqualTo(Reason.TOO_DEEP);
    }

    @Test
    void aBatchIsItsRepliesInTheOrderOfTheNode() throws MalformedReplyException {
        byte[] body =
                "[{\"id\":2,\"result\":[]}, {\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}} ]".getBytes(UTF_8);
        BatchReply batch = ReplyReader.readBatch(body, 0, body.length, 2);
        assertThat(batch.isArray()).isTrue();
        assertThat(batch.replies())
                .containsExactly(
                        new NodeReply(RawJson.of("2"), new RpcReply.Result(RawJson.of("[]"))),
                        new NodeReply(RawJson.of("1"), RpcReply.failure(new RpcError(1, "m", null))));
    }

    @Test
    void aBatchMayBeRejectedByOneObject() throws MalformedReplyException {
        byte[] body = " {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"too large\"}}".getBytes(UTF_8);
        BatchReply refused = ReplyReader.readBatch(body, 0, body.length, 2);
        assertThat(refused.isArray()).isFalse();
        assertThat(refused.replies()).hasSize(1);
        assertThat(ReplyReader.readBatch("[]".getBytes(UTF_8), 0, 2, 2))
                .isEqualTo(new BatchReply(true, List.of(), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{\"id\":1,\"result\":1},]|NOT_JSON",
                "[{\"id\":1,\"result\":1}|TRUNCATED",
                "[{\"id\":1,\"result\":1}]]|TRAILING_BYTES",
                "[{\"id\":1,\"result\":1},{\"id\":2,\"result\":1},{\"id\":3,\"result\":1}]|TOO_MANY",
                "[1,2,3]|TOO_MANY",
                "{\"id\":1}|NEITHER_RESULT_NOR_ERROR"
            })
    void aMalformedBatchIsNamed(String text, Reason reason) {
        byte[] body = text.getBytes(UTF_8);
        MalformedReplyException malformed = catchThrowableOfType(
                MalformedReplyException.class, () -> ReplyReader.readBatch(body, 0, body.length, 2));
        assertThat(malformed.reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "17|NOT_AN_OBJECT|",
                "{\"id\":7}|NEITHER_RESULT_NOR_ERROR|7",
                "{\"result\":{\"a\":[]},\"result\":1,\"id\":7}|DUPLICATE_MEMBER|7",
                "{\"result\":1,\"error\":{\"code\":1,\"message\":\"\"},\"id\":7}|BOTH_RESULT_AND_ERROR|7",
                "{\"error\":{\"code\":\"1\",\"message\":[],\"data\":{}},\"id\":7}|BAD_ERROR|7",
                "{\"error\":{\"code\":1,\"code\":2,\"data\":{}},\"id\":7}|DUPLICATE_MEMBER|7",
                "{\"error\":[1],\"id\":7}|BAD_ERROR|7",
                "{\"id\":{},\"result\":7}|BAD_ID|{}"
            })
    void aMalformedElementHarmsNoneOfTheOthers(String element, Reason reason, @Nullable String id) throws Exception {
        byte[] body = ("[{\"id\":1,\"result\":[1]}," + element + ",{\"id\":2,\"result\":[2]}]").getBytes(UTF_8);
        BatchReply batch = ReplyReader.readBatch(body, 0, body.length, 3);
        assertThat(batch.replies())
                .containsExactly(
                        new NodeReply(RawJson.of("1"), new RpcReply.Result(RawJson.of("[1]"))),
                        new NodeReply(RawJson.of("2"), new RpcReply.Result(RawJson.of("[2]"))));
        assertThat(batch.malformed()).singleElement().satisfies(malformed -> {
            assertThat(malformed.reason()).isEqualTo(reason);
            assertThat(malformed.id()).isEqualTo(id == null ? null : RawJson.of(id));
            assertThat(malformed).hasMessageMatching("byte \\d+: .+");
        });
    }

    private RpcError error(String body) throws MalformedReplyException {
        return ((RpcReply.Failure) read(body).reply()).error();
    }

    private NodeReply read(String body) throws MalformedReplyException {
        byte[] bytes = body.getBytes(UTF_8);
        return ReplyReader.read(bytes, 0, bytes.length);
    }

    private MalformedReplyException malformed(byte[] body) {
        return catchThrowableOfType(MalformedReplyException.class, () -> ReplyReader.read(body, 0, body.length));
    }
}
