package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.chain.Uint256;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Writes a typed message: its content as nested lists with names, its chain and its domain, and the types folded. Immutable. */
final class MessageView {

    /** Deeper values are written as JSON; messages that can be signed are less deep. */
    private static final int MAX_DEPTH = 40;

    /** The members of the types that a message need not declare. */
    private static final Map<String, Map<String, String>> PRESETS = Map.of(
            "u256", Map.of("low", "u128", "high", "u128"),
            "TokenAmount", Map.of("token_address", "ContractAddress", "amount", "u256"),
            "NftId", Map.of("collection_address", "ContractAddress", "token_id", "u256"));

    private final JsonNode message;
    private final JsonNode types;

    /** A view of typed data: an object of {@code types}, {@code primaryType}, {@code domain} and {@code message}. */
    MessageView(JsonNode typedData) {
        this.message = typedData;
        this.types = typedData.path("types");
    }

    /**
     * Writes it.
     *
     * @param chain the chain of the call, as text
     */
    void write(Html html, String chain) {
        html.tags("<h2>The message to sign</h2>\n");
        chain(html, chain);
        String type = message.path("primaryType").asString("");
        html.tags("<div id=\"message\" class=\"message\">\n<p><strong>")
                .text(type)
                .tags("</strong></p>\n");
        value(html, message.path("message"), type, 0);
        html.tags("</div>\n<h3>Domain</h3>\n<div id=\"domain\" class=\"message\">\n");
        value(html, message.path("domain"), types.has("StarknetDomain") ? "StarknetDomain" : "StarkNetDomain", 0);
        html.tags(
                "</div>\n<details>\n<summary>Types, and the whole message as JSON</summary>\n<pre id=\"typed-data\">");
        html.lines(message.toPrettyString()).tags("</pre>\n</details>\n");
    }

    private void chain(Html html, String callChain) {
        String text = message.path("domain").path("chainId").asString("");
        Optional<L2Network> named = network(text);
        String name = named.map(L2Network::chainIdText).orElse(text);
        boolean isOther = !name.equals(callChain);
        html.tags(isOther ? "<p id=\"message-chain\" class=\"notice\">" : "<p id=\"message-chain\">");
        if (text.isEmpty()) {
            html.text("It names no chain: it is good on every one.");
        } else {
            html.text("For the chain " + name + (name.equals(text) ? "" : " (" + text + ")"));
            html.text(isOther ? ", which is not that of the call." : ".");
        }
        html.tags("</p>\n");
    }

    private static Optional<L2Network> network(String chainId) {
        try {
            return chainId.isEmpty() ? Optional.empty() : Optional.of(new L2Network("", L2Networks.parse(chainId)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void value(Html html, JsonNode value, String type, int depth) {
        if (!value.isContainer() || depth > MAX_DEPTH) {
            scalar(html, value, type);
        } else if (value.isObject()) {
            if (type.equals("u256")) {
                number(value).ifPresent(number -> html.text(number + " "));
            }
            html.tags("<ul>\n");
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                String inner = memberType(type, member.getKey());
                begin(html, member.getKey(), inner);
                value(html, member.getValue(), inner, depth + 1);
                html.tags("</li>\n");
            }
            html.tags("</ul>\n");
        } else {
            String inner = type.endsWith("*") ? type.substring(0, type.length() - 1) : "";
            html.tags("<ul>\n");
            for (int index = 0; index < value.size(); index++) {
                begin(html, "[" + index + "]", "");
                value(html, value.path(index), inner, depth + 1);
                html.tags("</li>\n");
            }
            html.tags(value.isEmpty() ? "<li>none</li>\n</ul>\n" : "</ul>\n");
        }
    }

    private static void begin(Html html, String name, String type) {
        html.tags("<li><span class=\"name\">").text(name).tags("</span> ");
        if (!type.isEmpty()) {
            html.tags("<span class=\"type\">").text(type).tags("</span> ");
        }
    }

    /** The type of a member as the message or the standard declares it; empty if neither does. */
    private String memberType(String struct, String member) {
        for (JsonNode field : types.path(struct)) {
            if (field.path("name").asString("").equals(member)) {
                String type = field.path("type").asString("");
                return type.equals("merkletree") ? field.path("contains").asString("") + "*" : type;
            }
        }
        return types.has(struct) ? "" : PRESETS.getOrDefault(struct, Map.of()).getOrDefault(member, "");
    }

    private static void scalar(Html html, JsonNode value, String type) {
        html.tags("<span class=\"value\">")
                .text(value.isString() ? value.stringValue() : value.toString())
                .tags("</span>");
        if (type.equals("timestamp")) {
            time(value).ifPresent(time -> html.text(" = " + Times.of(time)));
        }
    }

    private static Optional<Instant> time(JsonNode seconds) {
        try {
            return Optional.of(Instant.ofEpochSecond(
                    Felt.parse(seconds.asString("")).toBigInteger().longValueExact()));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The number of 256 bits that two words are, or nothing. */
    private static Optional<BigInteger> number(JsonNode value) {
        try {
            return Uint256.of(
                    Felt.parse(value.path("low").asString("")),
                    Felt.parse(value.path("high").asString("")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
