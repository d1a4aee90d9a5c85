package io.weir.wallet.audit;

import io.weir.l2.FeltJson;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.name.Fingerprint;
import io.weir.wallet.state.NamedCall;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The members of lines that say what a request is for. Thread-safe. */
final class AuditJson {
    /** Longer arguments and messages are written as their hashes: a line is bounded. */
    static final int MAX_CHARACTERS = 200_000;

    private AuditJson() {}

    /**
     * Adds what a request asks for, as the approver sees it.
     *
     * @param characters of its arguments or its message; longer ones are written as their hashes
     */
    static void addContent(ObjectNode line, Content content, int characters) {
        line.put("kind", content.kind());
        line.put("method", content.method());
        line.put("network", content.network());
        line.put("chain_id", content.chainId());
        line.put("account", content.account().toPaddedHex());
        if (!content.calls().isEmpty()) {
            addCalls(line, content, characters);
        }
        JsonNode message = content.typedData();
        if (message != null) {
            addBounded(line, "message", message, characters);
        }
        BigInteger maxFee = content.maxFeeFri();
        if (maxFee != null) {
            line.put("max_fee_fri", maxFee.toString());
        }
    }

    private static void addCalls(ObjectNode line, Content content, int characters) {
        ArrayNode calls = line.putArray("calls");
        int each = characters / content.calls().size();
        for (RequestedCall call : content.calls()) {
            ObjectNode json = calls.addObject();
            json.put("contract", call.contract().toPaddedHex());
            json.put("function", call.function());
            ArrayNode arguments = JsonNodeFactory.instance.arrayNode();
            call.arguments()
                    .forEach(argument -> arguments
                            .addObject()
                            .put("name", argument.name())
                            .put("type", argument.type())
                            .put("value", argument.value()));
            addBounded(json, "arguments", arguments, each);
        }
    }

    /** Adds the calls of a replacement, which nobody has described. */
    static void addCalls(ObjectNode line, List<NamedCall> calls) {
        ArrayNode list = line.putArray("calls");
        for (NamedCall call : calls) {
            ObjectNode json = list.addObject();
            json.put("contract", call.contract().toPaddedHex());
            json.put("function", call.function());
            addBounded(json, "calldata", FeltJson.hexes(call.calldata()), MAX_CHARACTERS / calls.size());
        }
    }

    /** Adds the function of a call, or the functions of several. */
    static void addFunctions(ObjectNode line, List<NamedCall> calls) {
        if (calls.size() == 1) {
            line.put("function", calls.get(0).function());
        } else {
            ArrayNode functions = line.putArray("functions");
            calls.forEach(call -> functions.add(call.function()));
        }
    }

    private static void addBounded(ObjectNode json, String name, JsonNode value, int characters) {
        String text = value.toString();
        if (text.length() <= characters) {
            json.set(name, value);
        } else {
            json.put(name + "_sha256", Fingerprint.hex(text));
        }
    }

    /** Adds a text that may be missing, bounded. */
    static void addText(ObjectNode line, String name, @Nullable String text, int characters) {
        if (text != null && !text.isEmpty()) {
            line.put(name, text.length() <= characters ? text : text.substring(0, characters) + "…");
        }
    }
}
