package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** The column with the calls of a transaction: a JSON array, with the data of each call as hex numbers between commas. Thread-safe. */
final class CallsColumn {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private CallsColumn() {}

    static String write(List<NamedCall> calls) {
        ArrayNode json = MAPPER.createArrayNode();
        for (NamedCall call : calls) {
            json.addObject()
                    .put("contract", call.contract().toHex())
                    .put("function", call.function())
                    .put("calldata", call.calldata().stream().map(Felt::toHex).collect(Collectors.joining(",")));
        }
        return json.toString();
    }

    static List<NamedCall> read(String column) {
        List<NamedCall> calls = new ArrayList<>();
        for (JsonNode call : MAPPER.readTree(column)) {
            calls.add(new NamedCall(
                    Felt.parseHex(call.path("contract").stringValue()),
                    call.path("function").stringValue(),
                    felts(call.path("calldata").stringValue())));
        }
        return calls;
    }

    private static List<Felt> felts(String text) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(",")).map(Felt::parseHex).toList();
    }
}
