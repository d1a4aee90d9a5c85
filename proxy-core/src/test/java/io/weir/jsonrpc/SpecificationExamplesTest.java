package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.NameTable;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The 15 examples of section 7 of the JSON-RPC 2.0 specification, through reader and writer with a small server between.
 * Messages of errors are free and left out here.
 */
class SpecificationExamplesTest {

    private static final String PARSE_ERROR = "{'jsonrpc': '2.0', 'error': {'code': -32700}, 'id': null}";
    private static final String INVALID_REQUEST = "{'jsonrpc': '2.0', 'error': {'code': -32600}, 'id': null}";

    private final JsonMapper json = JsonMapper.builder().build();
    private final RequestReader reader = new RequestReader(1000, NameTable.EMPTY);

    @Test
    void positionalParameters() {
        expect(
                "{'jsonrpc': '2.0', 'method': 'subtract', 'params': [42, 23], 'id': 1}",
                "{'jsonrpc': '2.0', 'result': 19, 'id': 1}");
        expect(
                "{'jsonrpc': '2.0', 'method': 'subtract', 'params': [23, 42], 'id': 2}",
                "{'jsonrpc': '2.0', 'result': -19, 'id': 2}");
    }

    @Test
    void namedParameters() {
        expect(
                "{'jsonrpc': '2.0', 'method': 'subtract', 'params': {'subtrahend': 23, 'minuend': 42}, 'id': 3}",
                "{'jsonrpc': '2.0', 'result': 19, 'id': 3}");
        expect(
                "{'jsonrpc': '2.0', 'method': 'subtract', 'params': {'minuend': 42, 'subtrahend': 23}, 'id': 4}",
                "{'jsonrpc': '2.0', 'result': 19, 'id': 4}");
    }

    @Test
    void notifications() {
        expect("{'jsonrpc': '2.0', 'method': 'update', 'params': [1,2,3,4,5]}", "");
        expect("{'jsonrpc': '2.0', 'method': 'foobar'}", "");
    }

    @Test
    void aMethodThatDoesNotExist() {
        expect(
                "{'jsonrpc': '2.0', 'method': 'foobar', 'id': '1'}",
                "{'jsonrpc': '2.0', 'error': {'code': -32601}, 'id': '1'}");
    }

    @Test
    void invalidJson() {
        expect("{'jsonrpc': '2.0', 'method': 'foobar, 'params': 'bar', 'baz]", PARSE_ERROR);
    }

    @Test
    void anInvalidRequestObject() {
        expect("{'jsonrpc': '2.0', 'method': 1, 'params': 'bar'}", INVALID_REQUEST);
    }

    @Test
    void aBatchOfInvalidJson() {
        expect("""
                [
                  {'jsonrpc': '2.0', 'method': 'sum', 'params': [1,2,4], 'id': '1'},
                  {'jsonrpc': '2.0', 'method'
                ]\
                """, PARSE_ERROR);
    }

    @Test
    void anEmptyArray() {
        expect("[]", INVALID_REQUEST);
    }

    @Test
    void invalidBatches() {
        expect("[1]", "[" + INVALID_REQUEST + "]");
        expect("[1,2,3]", "[" + INVALID_REQUEST + "," + INVALID_REQUEST + "," + INVALID_REQUEST + "]");
    }

    @Test
    void aBatch() {
        expect("""
                [
                  {'jsonrpc': '2.0', 'method': 'sum', 'params': [1,2,4], 'id': '1'},
                  {'jsonrpc': '2.0', 'method': 'notify_hello', 'params': [7]},
                  {'jsonrpc': '2.0', 'method': 'subtract', 'params': [42,23], 'id': '2'},
                  {'foo': 'boo'},
                  {'jsonrpc': '2.0', 'method': 'foo.get', 'params': {'name': 'myself'}, 'id': '5'},
                  {'jsonrpc': '2.0', 'method': 'get_data', 'id': '9'}
                ]\
                """, """
                [
                  {'jsonrpc': '2.0', 'result': 7, 'id': '1'},
                  {'jsonrpc': '2.0', 'result': 19, 'id': '2'},
                  {'jsonrpc': '2.0', 'error': {'code': -32600}, 'id': null},
                  {'jsonrpc': '2.0', 'error': {'code': -32601}, 'id': '5'},
                  {'jsonrpc': '2.0', 'result': ['hello', 5], 'id': '9'}
                ]\
                """);
    }

    @Test
    void aBatchOfNotifications() {
        expect("""
                [
                  {'jsonrpc': '2.0', 'method': 'notify_sum', 'params': [1,2,4]},
                  {'jsonrpc': '2.0', 'method': 'notify_hello', 'params': [7]}
                ]\
                """, "");
    }

    private void expect(String request, String response) {
        String answer = serve(request.replace('\'', '"'));
        if (response.isEmpty()) {
            assertThat(answer).isEmpty();
        } else {
            assertThat(json.readTree(answer.replaceAll(",\"message\":\"(\\\\.|[^\"\\\\])*\"", "")))
                    .isEqualTo(json.readTree(response.replace('\'', '"')));
        }
    }

    private String serve(String request) {
        byte[] bytes = request.getBytes(UTF_8);
        RequestBody body = reader.read(bytes, 0, bytes.length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<RawJson> ids = new ArrayList<>();
        List<RpcReply> replies = new ArrayList<>();
        body.items().forEach(item -> answer(item, ids, replies));
        if (!ids.isEmpty()) {
            ReplyText text = body instanceof RequestBody.Batch
                    ? ReplyText.array(ids, replies)
                    : ReplyText.one(ids.get(0), replies.get(0));
            text.writeTo(out::write);
        }
        return out.toString(UTF_8);
    }

    private void answer(RequestItem item, List<RawJson> ids, List<RpcReply> replies) {
        if (item instanceof RequestItem.Invalid invalid) {
            ids.add(invalid.id());
            replies.add(RpcReply.failure(invalid.error()));
        } else if (item instanceof RpcCall call && call.id() != null) {
            ids.add(call.id());
            replies.add(call(call));
        }
    }

    private RpcReply call(RpcCall call) {
        JsonNode params = json.readTree(String.valueOf(call.params()));
        return switch (call.method()) {
            case "subtract" ->
                result(
                        params.isArray()
                                ? params.get(0).intValue() - params.get(1).intValue()
                                : params.get("minuend").intValue()
                                        - params.get("subtrahend").intValue());
            case "sum" ->
                result(params.get(0).intValue()
                        + params.get(1).intValue()
                        + params.get(2).intValue());
            case "get_data" -> new RpcReply.Result(RawJson.of("[\"hello\",5]"));
            default -> RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error());
        };
    }

    private static RpcReply result(int number) {
        return new RpcReply.Result(RawJson.of(Integer.toString(number)));
    }
}
