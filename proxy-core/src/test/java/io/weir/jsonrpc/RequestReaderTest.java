package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.NameTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {

    private final RequestReader reader = new RequestReader(3, NameTable.EMPTY);

    @Test
    void aCallIsItsIdItsMethodAndItsParamsAsTheyWereWritten() {
        RpcCall call = call(" {\"params\" : [ 1, \"x\" ] ,\"id\":7,\"method\":\"eth_call\",\"jsonrpc\":\"2.0\"}\n");
        assertThat(call.id()).hasToString("7");
        assertThat(call.method()).isEqualTo("eth_call");
        assertThat(call.params()).hasToString("[ 1, \"x\" ]");
        assertThat(call.isNotification()).isFalse();
    }

    @Test
    void idAndParamsAreSlicesOfTheBody() {
        byte[] body = "##{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":{}}##".getBytes(UTF_8);
        RpcCall call = (RpcCall) reader.read(body, 2, body.length - 4);
        assertThat(call.id().array()).isSameAs(body);
        assertThat(call.params().array()).isSameAs(body);
        assertThat(call.params()).hasToString("{}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "18446744073709551616",
                "1.0",
                "1e3",
                "-0",
                "1.5",
                "\"\"",
                "\"a\\u0062\\\"\\/\"",
                "null",
                "\"\\ud800\"",
                "\"é😀\""
            })
    void anIdComesBackByteForByte(String id) {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}")
                        .id())
                .hasToString(id);
        assertThat(invalid("{\"jsonrpc\":\"1.0\",\"id\":" + id + ",\"method\":\"m\"}")
                        .id())
                .hasToString(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false", "[]", "{}", "[1]"})
    void anIdOfAnotherTypeIsAnsweredUnderNull(String id) {
        RequestItem.Invalid invalid = invalid("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}");
        assertThat(invalid.id()).isEqualTo(RawJson.NULL);
        assertThat(invalid.error().code()).isEqualTo(-32600);
        assertThat(invalid.error().message()).contains("id: ");
    }

    @Test
    void withoutAnIdItIsANotification() {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}").isNotification())
                .isTrue();
    }

    @Test
    void anInvalidRequestWithoutAnIdIsNoNotification() {
        assertThat(invalid("{\"foo\":\"boo\"}").id()).isEqualTo(RawJson.NULL);
        assertThat(invalid("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":1}")
                        .id())
                .isEqualTo(RawJson.NULL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.0", "\"1.0\"", "\"2\"", "null", "\"2.00\"", "2", "[\"2.0\"]"})
    void aVersionThatIsNotTheString2Point0IsRejected(String version) {
        assertThat(invalid("{\"jsonrpc\":" + version + ",\"id\":1,\"method\":\"m\"}"))
                .satisfies(invalid -> assertThat(invalid.id()).hasToString("1"))
                .satisfies(invalid -> assertThat(invalid.error().message()).contains("jsonrpc: "));
    }

    @Test
    void membersThatMustBeThereAreNamed() {
        assertThat(invalid("{\"id\":1,\"method\":\"m\"}").error().message())
                .isEqualTo("invalid request: byte 0: jsonrpc: missing (expected: \"2.0\")");
        assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":1}").error().message())
                .isEqualTo("invalid request: byte 0: method: missing (expected: a string)");
        assertThat(invalid("{\"jsonrpc\":\"2.0\",\"Method\":\"m\",\"id\":1}")
                        .error()
                        .message())
                .contains("method: missing");
        assertThat(invalid("{}").error().code()).isEqualTo(-32600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "null", "true", "[]", "{}", "\"\\ud800\"", "\"\\udc00\\ud800\""})
    void aMethodThatIsNotTextIsRejected(String method) {
        RequestItem.Invalid invalid = invalid("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":" + method + "}");
        assertThat(invalid.error().code()).isEqualTo(-32600);
        assertThat(invalid.id()).hasToString("1");
    }

    @Test
    void aMethodNameHasAtMost128Bytes() {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "m".repeat(128) + "\"}")
                        .method())
                .hasSize(128);
        assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "m".repeat(129) + "\"}")
                        .error()
                        .message())
                .contains("method: 129 bytes (expected: at most 128)");
    }

    @Test
    void anIdHasAtMost1024Bytes() {
        String longest = '"' + "i".repeat(1022) + '"';
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":" + longest + ",\"method\":\"m\"}")
                        .id())
                .hasToString(longest);
        RequestItem.Invalid text =
                invalid("{\"jsonrpc\":\"2.0\",\"id\":\"" + "i".repeat(1023) + "\",\"method\":\"m\"}");
        assertThat(text.error().code()).isEqualTo(-32600);
        assertThat(text.error().message()).contains("id: 1025 bytes (expected: at most 1024)");
        assertThat(text.id()).isEqualTo(RawJson.NULL);
        RequestItem.Invalid number = invalid("{\"jsonrpc\":\"2.0\",\"id\":" + "1".repeat(2000) + ",\"method\":\"m\"}");
        assertThat(number.error().message()).contains("id: 2000 bytes (expected: at most 1024)");
    }

    @Test
    void namesAndIdsOfTheGreatestLengthAreTaken() {
        String id = "1".repeat(1_024);
        String name = "m".repeat(128);

        assertThat(read(reader, id, name)).isInstanceOf(RpcCall.class);
        assertThat(read(reader, id + "1", name)).isInstanceOf(RequestItem.Invalid.class);
        assertThat(read(reader, id, name + "m")).isInstanceOf(RequestItem.Invalid.class);
    }

    private static RequestBody read(RequestReader reader, String id, String method) {
        byte[] body = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}").getBytes(UTF_8);
        return reader.read(body, 0, body.length);
    }

    @Test
    void reservedNamesAreUnknownMethods() {
        RequestItem.Invalid invalid = invalid("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"rpc.discover\"}");
        assertThat(invalid.error().code()).isEqualTo(-32601);
        assertThat(invalid.id()).hasToString("\"x\"");
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc_modules\"}")
                        .method())
                .isEqualTo("rpc_modules");
    }

    @Test
    void aNotificationOfAReservedNameStaysANotification() {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.discover\"}").isNotification())
                .isTrue();
    }

    @Test
    void namesAndTextsMayBeEscaped() {
        RpcCall call = call(
                "{\"jso\\u006erpc\":\"2\\u002e0\",\"\\u0069d\":1,\"\\u006dethod\":\"eth\\u005fcall\",\"param\\u0073\":[]}");
        assertThat(call.id()).hasToString("1");
        assertThat(call.method()).isEqualTo("eth_call");
        assertThat(call.params()).hasToString("[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "\"x\"", "true", "false", "-1.5e3"})
    void paramsOfAnotherTypeAreRejected(String params) {
        assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":" + params + "}")
                        .error()
                        .message())
                .contains("params: ", "(expected: an array or an object)");
    }

    @Test
    void absentParamsAndNullAreTheSame() {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":null}")
                        .params())
                .isNull();
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}").params())
                .isNull();
    }

    @Test
    void extraMembersAreDropped() {
        RpcCall call = call(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"networkId\":5,\"result\":{\"id\":2},\"\\ud800\":0}");
        assertThat(call.id()).hasToString("1");
        assertThat(invalid(withExtraMembers(33)).error().message()).contains("members: more than 32");
        assertThat(call(withExtraMembers(32)).id()).hasToString("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"jsonrpc\":\"2.0\"|1",
                "\"method\":\"m\"|1",
                "\"\\u006dethod\":\"other\"|1",
                "\"params\":[],\"params\":null|1",
                "\"x\":1,\"x\":1|1",
                "\"x\":1,\"\\u0078\":1|1",
                "\"id\":1|null",
                "\"i\\u0064\":2|null"
            })
    void aMemberTwiceIsRejected(String twice, String answeredUnder) {
        RequestItem.Invalid invalid = invalid("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"," + twice + "}");
        assertThat(invalid.error().code()).isEqualTo(-32600);
        assertThat(invalid.id()).hasToString(answeredUnder);
    }

    @Test
    void aNameTwiceWithinParamsIsTheCallersBusiness() {
        assertThat(call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":1,\"a\":2}}")
                        .params())
                .hasToString("{\"a\":1,\"a\":2}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "\"x\"", "true"})
    void aBodyThatIsNoObjectIsAnInvalidRequest(String body) {
        assertThat(invalid(body).error().code()).isEqualTo(-32600);
        assertThat(invalid(body).id()).isEqualTo(RawJson.NULL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}{}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"} x",
                "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}",
                "[1,]",
                "[1}",
                "{\"id\":01}",
                "{'id':1}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",}",
                "\u0000",
                "{\"id\":1}\u0000",
                "<html></html>",
                "[1],"
            })
    void invalidJsonIsAParseErrorWithANullId(String body) {
        assertThat(invalid(body).error().code()).isEqualTo(-32700);
        assertThat(invalid(body).error().message()).matches("parse error: byte \\d+: .* \\(expected: .*\\)");
        assertThat(invalid(body).id()).isEqualTo(RawJson.NULL);
    }

    @Test
    void invalidUtf8IsAParseError() {
        byte[] body = "{\"jsonrpc\":\"2.0\",\"id\":\"\u00ff\",\"method\":\"m\"}".getBytes(ISO_8859_1);
        assertThat(((RequestItem.Invalid) reader.read(body, 0, body.length))
                        .error()
                        .message())
                .isEqualTo("parse error: byte 23: 0xff (expected: UTF-8)");
    }

    @Test
    void nestingOver64IsAnInvalidRequest() {
        String head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":";
        assertThat(call(head + "[".repeat(63) + "]".repeat(63) + "}").params().length())
                .isEqualTo(126);
        RequestItem.Invalid invalid = invalid(head + "[".repeat(64) + "]".repeat(64) + "}");
        assertThat(invalid.error().code()).isEqualTo(-32600);
        assertThat(invalid.error().message()).contains("nesting (expected: at most 64 levels)");
    }

    @Test
    void aSyntaxErrorAnywhereFailsTheWholeBatch() {
        assertThat(invalid("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"},{\"jsonrpc\":\"2.0\",\"method\"]")
                        .error()
                        .code())
                .isEqualTo(-32700);
    }

    @Test
    void anEmptyBatchIsOneInvalidRequest() {
        assertThat(invalid("[ ]").error().code()).isEqualTo(-32600);
        assertThat(invalid("[]").error().message()).contains("batch: no elements");
    }

    @Test
    void aBatchOverTheBoundIsOneInvalidRequestThatNamesIt() {
        assertThat(batch("[1,2,3]")).hasSize(3);
        assertThat(invalid("[1,2,3,4]").error().message())
                .isEqualTo("invalid request: batch: 4 elements (expected: at most 3)");
        assertThat(invalid("[1,2,3,4,}").error().code()).isEqualTo(-32700);
    }

    @Test
    void elementsOfABatchStandOnTheirOwn() {
        List<RequestItem> items = batch(
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}, [], {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"b\"}]");
        assertThat(items.get(0)).isEqualTo(new RpcCall(RawJson.of("1"), "a", null));
        assertThat(items.get(1)).isInstanceOfSatisfying(RequestItem.Invalid.class, invalid -> {
            assertThat(invalid.id()).isEqualTo(RawJson.NULL);
            assertThat(invalid.error().message()).isEqualTo("invalid request: byte 40: an array (expected: an object)");
        });
        assertThat(items.get(2)).isEqualTo(new RpcCall(RawJson.of("1"), "b", null));
    }

    @Test
    void noStateOfOneElementReachesTheNext() {
        String full = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1],\"extra\":1}";
        String bare = "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}";
        List<RequestItem> items = batch("[" + full + "," + bare + ",{\"extra\":1}]");
        assertThat(items.get(1)).isEqualTo(new RpcCall(null, "n", null));
        assertThat(((RequestItem.Invalid) items.get(2)).error().message()).contains("jsonrpc: missing");

        invalid("{\"id\":{},\"params\":1");
        assertThat(call(bare)).isEqualTo(new RpcCall(null, "n", null));
        assertThat(call(full).id()).hasToString("1");
    }

    @Test
    void aKnownMethodIsTheVeryStringOfTheTable() {
        String name = "eth_getBlockByHash";
        RequestReader knowing = new RequestReader(1, NameTable.of(List.of(name)));
        for (String written : List.of(name, "eth_getBlockBy\\u0048ash")) {
            byte[] body = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + written + "\"}").getBytes(UTF_8);
            RpcCall call = (RpcCall) knowing.read(body, 0, body.length);
            assertThat(call.method()).isEqualTo(name);
            assertThat(call.method() == name).isEqualTo(written.equals(name));
        }
    }

    private static String withExtraMembers(int count) {
        StringBuilder body = new StringBuilder("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"");
        for (int i = 0; i < count; i++) {
            body.append(",\"x").append(i).append("\":0");
        }
        return body.append('}').toString();
    }

    private RpcCall call(String body) {
        return (RpcCall) single(body);
    }

    private RequestItem.Invalid invalid(String body) {
        return (RequestItem.Invalid) single(body);
    }

    private RequestItem single(String body) {
        byte[] bytes = body.getBytes(UTF_8);
        return (RequestItem) reader.read(bytes, 0, bytes.length);
    }

    private List<RequestItem> batch(String body) {
        byte[] bytes = body.getBytes(UTF_8);
        return ((RequestBody.Batch) reader.read(bytes, 0, bytes.length)).items();
    }
}
