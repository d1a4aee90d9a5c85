package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.JacksonOracle.Member;
import io.weir.jsonrpc.text.NameTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Compares the reader of requests with Jackson: whether a text is JSON, and the bytes of id and params. Only the reader
 * bounds nesting at 64 (Jackson is configured alike), unknown members at 32, methods at 128 bytes and ids at 1,024
 * bytes, and rejects duplicate members. An unpaired surrogate in an escape is JSON to both. Thread-safe.
 */
final class RequestAgreement {

    private static final int MAX_METHOD_BYTES = 128;
    private static final int MAX_ID_BYTES = 1_024;

    private final JacksonOracle oracle = new JacksonOracle(64);
    private final RequestReader reader = new RequestReader(1000, NameTable.EMPTY);

    /** Fails where a text is JSON to one only; returns whether it is to both. */
    boolean checkJson(byte[] text, String context) {
        boolean expected = oracle.accepts(text);
        assertThat(isJson(reader.read(text, 0, text.length))).as(context).isEqualTo(expected);
        return expected;
    }

    /** Fails where the two read a single request differently; returns whether it is a call to both. */
    boolean check(byte[] text, String context) {
        if (!checkJson(text, context) || !oracle.tree(text).isObject()) {
            return false;
        }
        RequestItem item = (RequestItem) reader.read(text, 0, text.length);
        assertSameReading(item, oracle.members(text), context);
        return item instanceof RpcCall;
    }

    private void assertSameReading(RequestItem item, List<Member> members, String context) {
        Map<String, RawJson> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.name(), member.value()));
        boolean distinct = byName.size() == members.size();
        boolean valid = distinct && isValid(byName);
        if (item instanceof RpcCall call) {
            assertThat(valid).as(context).isTrue();
            assertThat(call.id()).as(context).isEqualTo(byName.get("id"));
            assertThat(call.method())
                    .as(context)
                    .isEqualTo(oracle.string(byName.get("method")).orElseThrow());
            RawJson params = byName.get("params");
            assertThat(call.params()).as(context).isEqualTo(RawJson.NULL.equals(params) ? null : params);
        } else {
            assertThat(valid).as(context).isFalse();
            long ids = members.stream()
                    .filter(member -> member.name().equals("id"))
                    .count();
            boolean sure = ids == 1 && isId(byName.get("id"));
            assertThat(((RequestItem.Invalid) item).id()).as(context).isEqualTo(sure ? byName.get("id") : RawJson.NULL);
        }
    }

    private boolean isValid(Map<String, RawJson> members) {
        return members.containsKey("jsonrpc")
                && members.containsKey("method")
                && oracle.tree(members.get("jsonrpc")).equals(oracle.tree(RawJson.of("\"2.0\"")))
                && oracle.string(members.get("method"))
                        .filter(UTF_8.newEncoder()::canEncode)
                        // Reserved; a notification continues, because it gets no answer.
                        .filter(name -> !members.containsKey("id") || !name.startsWith("rpc."))
                        .isPresent()
                && members.get("method").length() - 2 <= MAX_METHOD_BYTES
                && (!members.containsKey("id") || isId(members.get("id")))
                && (!members.containsKey("params") || isParams(oracle.tree(members.get("params"))));
    }

    private boolean isId(RawJson text) {
        JsonNode id = oracle.tree(text);
        return text.length() <= MAX_ID_BYTES && (id.isString() || id.isNumber() || id.isNull());
    }

    private static boolean isParams(JsonNode params) {
        return params.isContainer() || params.isNull();
    }

    private static boolean isJson(RequestBody body) {
        return !(body instanceof RequestItem.Invalid invalid
                && (invalid.error().code() == -32700
                        || invalid.error().message().contains("nesting")));
    }
}
