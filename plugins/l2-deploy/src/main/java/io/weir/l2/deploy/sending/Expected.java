package io.weir.l2.deploy.sending;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer that follows from a transaction, or that a node gave before. Immutable.
 *
 * @param hash the transaction's; null where it is not known
 * @param address the contract's; null as long as nobody needs it
 */
record Expected(@Nullable Felt hash, @Nullable Felt address) {
    /** The answer to a transaction that no node is known to have. */
    static final Expected UNKNOWN = new Expected(null, null);

    static final int UNEXPECTED_ERROR = 63;

    private static final String HASH = "transaction_hash";
    private static final String ADDRESS = "contract_address";
    private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,64}");
    private static final int MAX_CHARACTERS = 80;

    /** Whether a node's answer says the same; where the hash is not known, any will do. */
    boolean agrees(JsonNode answer) {
        Felt told = felt(answer.path(HASH));
        Felt where = felt(answer.path(ADDRESS));
        return told != null
                && where != null
                && (hash == null || hash.equals(told))
                && address != null
                && address.equals(where);
    }

    /** This, with the hash that a node told, where none is known. */
    Expected learned(JsonNode answer) {
        return hash == null ? new Expected(felt(answer.path(HASH)), address) : this;
    }

    /** As the network's method answers; only where the hash is known. */
    ObjectNode answer() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (hash != null) {
            answer.put(HASH, hash.toHex());
        }
        return address == null ? answer : answer.put(ADDRESS, address.toHex());
    }

    /** The error for a node that took the transaction and tells something else of it. */
    RpcException contradiction(JsonNode answer) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("accepted", true);
        data.set("computed", answer());
        data.set("upstream", told(answer));
        return new RpcException(
                UNEXPECTED_ERROR,
                "An unexpected error occurred: the transaction was accepted, but the node's answer is not what follows from it",
                data);
    }

    /** Returns a node's answer about the two, cut short. */
    static JsonNode told(JsonNode answer) {
        if (!answer.isObject()) {
            return shown(answer);
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        told.set(HASH, shown(answer.path(HASH)));
        told.set(ADDRESS, shown(answer.path(ADDRESS)));
        return told;
    }

    private static JsonNode shown(JsonNode value) {
        if (value.isMissingNode()) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (value.isContainer()) {
            return JsonNodeFactory.instance.stringNode("(" + value.getNodeType() + " of " + value.size() + ")");
        }
        String text = value.asString();
        return text.length() <= MAX_CHARACTERS
                ? value
                : JsonNodeFactory.instance.stringNode(text.substring(0, MAX_CHARACTERS) + "…");
    }

    private static @Nullable Felt felt(JsonNode value) {
        if (!value.isString() || !HEX.matcher(value.stringValue()).matches()) {
            return null;
        }
        try {
            return Felt.parseHex(value.stringValue());
        } catch (IllegalArgumentException e) {
            // Not below the prime.
            return null;
        }
    }
}
