package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractCall;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * One call of a contract by an account, with the name of its function. Immutable.
 *
 * @param contract the contract; the account itself where it is deployed
 * @param function its name, or its selector in hex where only the chain has told it
 */
public record NamedCall(Felt contract, String function, List<Felt> calldata) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    public NamedCall {
        calldata = List.copyOf(calldata);
    }

    /** Returns it as contracts know calls. */
    public ContractCall toCall() {
        return ContractCall.of(contract, function, calldata);
    }

    /** Returns calls as a JSON array, with the data of each as hex numbers between commas. */
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

    /** Reads what {@link #write} made. */
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
