package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyTextTest {

    @Test
    void aResultStandsUnderItsIdAsItWas() {
        assertThat(written(ReplyText.one(RawJson.of("1.0"), new RpcReply.Result(RawJson.of("[ 1 ]")))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":[ 1 ]}");
        assertThat(written(ReplyText.one(RawJson.NULL, new RpcReply.Result(RawJson.NULL))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":null}");
    }

    @Test
    void anErrorHasDataOnlyWhereThereIsSome() {
        assertThat(written(ReplyText.one(RawJson.of("\"x\""), RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error()))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32601,\"message\":\"method not"
                        + " found\"}}");
        assertThat(written(ReplyText.one(
                        RawJson.of("2"), RpcReply.failure(new RpcError(3, "é\"\n\ud800", RawJson.of("{}"))))))
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":3,\"message\":\"é\\\"\\u000a\\ud800\",\"data\":{}}}");
    }

    @Test
    void aBatchIsAnArrayInTheOrderGiven() {
        List<RawJson> ids = List.of(RawJson.of("2"), RawJson.of("1"));
        List<RpcReply> replies =
                List.of(new RpcReply.Result(RawJson.of("true")), new RpcReply.Result(RawJson.of("false")));
        assertThat(written(ReplyText.array(ids, replies)))
                .isEqualTo(
                        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":true},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":false}]");
    }

    @Test
    void aResultReachesTheSinkInTheArrayItCameIn() {
        byte[] body = "{\"id\":1,\"result\":[1,2,3]}".getBytes(UTF_8);
        List<byte[]> arrays = new ArrayList<>();
        ReplyText.one(RawJson.of("1"), new RpcReply.Result(RawJson.slice(body, 17, 7)))
                .writeTo((array, offset, length) -> arrays.add(array));
        assertThat(arrays).anySatisfy(array -> assertThat(array).isSameAs(body));
    }

    @Test
    void anAnswerToAClientCanBeReadAsANodesReply() throws MalformedReplyException {
        for (RpcReply reply : List.of(
                new RpcReply.Result(RawJson.of("{\"a\":[]}")),
                RpcReply.failure(new RpcError(-32000, "x\u0000\ud800 \\ é😀", RawJson.of("\"0x\""))),
                RpcReply.failure(new RpcError(Integer.MIN_VALUE, "", null)))) {
            RawJson id = RawJson.of("\"\\u0041\"");
            byte[] bytes = written(ReplyText.one(id, reply)).getBytes(UTF_8);
            assertThat(ReplyReader.read(bytes, 0, bytes.length)).isEqualTo(new NodeReply(id, reply));
        }
    }

    private static String written(ReplyText text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        text.writeTo(out::write);
        assertThat(text.length()).isEqualTo(out.size());
        return out.toString(UTF_8);
    }
}
