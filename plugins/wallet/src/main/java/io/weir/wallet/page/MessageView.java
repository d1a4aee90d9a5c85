package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.Uint256;
import io.weir.l2.typed.Allowance;
import io.weir.l2.typed.OutsideExecution;
import io.weir.l2.typed.TypedData;
import io.weir.wallet.abi.MessageEffect;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes a typed message: its content as nested lists with names, its chain and its domain, and the types folded. Immutable. */
final class MessageView {

    /** Deeper values are written as JSON; messages that can be signed are less deep. */
    private static final int MAX_DEPTH = 40;

    /** The characters of each part of a title. */
    private static final int MAX_PART = 60;

    /** The last second with a year of four digits. Later ends are no ends. */
    private static final BigInteger LAST_SECOND = BigInteger.valueOf(253_402_300_799L);

    /** The names of times that applications declare as numbers. */
    private static final Set<String> TIMES =
            Set.of("deadline", "sigdeadline", "expiry", "expiration", "expires", "validuntil");

    private final JsonNode message;
    private final @Nullable TypedData data;

    /** A view of typed data: an object of {@code types}, {@code primaryType}, {@code domain} and {@code message}. */
    MessageView(JsonNode typedData) {
        this.message = typedData;
        this.data = read(typedData);
    }

    private static @Nullable TypedData read(JsonNode typedData) {
        try {
            return TypedData.of(typedData);
        } catch (IllegalArgumentException e) {
            // A message that nobody can sign is shown without the types of its members.
            return null;
        }
    }

    /** Returns the primary type and the domain in one line, for the list and the history. */
    String title() {
        JsonNode domain = message.path("domain");
        String name = Html.shortened(domain.path("name").asString(""), MAX_PART);
        String version = Html.shortened(domain.path("version").asString(""), MAX_PART);
        String chain = Html.shortened(chain(), MAX_PART);
        return Html.shortened(message.path("primaryType").asString(""), MAX_PART)
                + (name.isEmpty() ? " of no named application" : " of " + name)
                + (version.isEmpty() ? "" : ", version " + version)
                + (chain.isEmpty() ? ", for every chain" : ", chain " + chain);
    }

    /** Writes who may do what by the signature. The sentences about its calls follow. */
    void effect(Html html, Felt account, Instant now) {
        MessageEffect effect = MessageEffect.of(message, account);
        html.tags("<h2>What this signature allows</h2>\n<p id=\"effect\">");
        html.text(submission(effect, now)).tags("</p>\n");
    }

    private static String submission(MessageEffect effect, Instant now) {
        OutsideExecution outside = effect.outside();
        if (outside == null) {
            String other = effect.isHarmless()
                    ? "It looks like a sign-in: beside the address of the account it holds text, which no contract reads. Read it."
                    : "This is not known. Read the whole message, and sign it only if you know what it does.";
            return effect.allowances().isEmpty() ? other : "Others may take tokens of the account:";
        }
        boolean anybody = outside.caller().equals(OutsideExecution.ANY_CALLER);
        String who =
                anybody ? "Anybody (ANY_CALLER)" : "Only " + outside.caller().toPaddedHex();
        int size = outside.calls().size();
        String calls = size == 1 ? "this call" : "these " + size + " calls";
        if (outside.before().compareTo(BigInteger.valueOf(now.getEpochSecond())) <= 0) {
            return who + " could submit " + calls + " until " + moment(outside.before()) + ". This time is over.";
        }
        String from = outside.after().compareTo(BigInteger.ONE) <= 0 ? "from now" : "after " + moment(outside.after());
        boolean isEndless = outside.before().compareTo(LAST_SECOND) > 0;
        String until = isEndless ? "without an end" : "until " + moment(outside.before());
        return who + " may submit " + calls + " for the account, " + from + ", " + until + ".";
    }

    private static String moment(BigInteger seconds) {
        return seconds.compareTo(LAST_SECOND) > 0
                ? "a time that never comes"
                : Times.of(Instant.ofEpochSecond(seconds.longValue()));
    }

    /**
     * Writes it.
     *
     * @param chain the chain of the call, as text
     */
    void write(Html html, String chain) {
        html.tags("<h2>The message</h2>\n");
        chain(html, chain);
        String type = message.path("primaryType").asString("");
        html.tags("<div id=\"message\" class=\"message\">\n<p><strong>")
                .text(type)
                .tags("</strong></p>\n");
        value(html, message.path("message"), type, 0);
        html.tags("</div>\n<h3>Domain</h3>\n<div id=\"domain\" class=\"message\">\n");
        value(html, message.path("domain"), data == null ? "" : data.domainType(), 0);
        html.tags(
                "</div>\n<details>\n<summary>Types, and the whole message as JSON</summary>\n<pre id=\"typed-data\">");
        html.lines(message.toPrettyString()).tags("</pre>\n</details>\n");
    }

    private void chain(Html html, String callChain) {
        String text = message.path("domain").path("chainId").asString("");
        String name = chain();
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

    /** The name of the message's chain, or its id where it has no name. */
    private String chain() {
        String chainId = message.path("domain").path("chainId").asString("");
        try {
            return chainId.isEmpty() ? "" : new L2Network("", L2Networks.parse(chainId)).chainIdText();
        } catch (IllegalArgumentException e) {
            return chainId;
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
                String inner = data == null ? "" : data.memberType(type, member.getKey());
                begin(html, member.getKey(), inner);
                boolean isTime =
                        !member.getValue().isContainer() && TIMES.contains(Allowance.plainName(member.getKey()));
                value(html, member.getValue(), isTime ? "timestamp" : inner, depth + 1);
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
            html.tags("<span class=\"type\">")
                    .text(Html.shortened(type, MAX_PART))
                    .tags("</span> ");
        }
    }

    private void scalar(Html html, JsonNode value, String type) {
        html.tags("<span class=\"value\">")
                .text(value.isString() ? value.stringValue() : value.toString())
                .tags("</span>");
        if (type.equals("felt")
                && felt(type, value)
                        .filter(felt -> ShortString.spells(value.asString(""), felt))
                        .isPresent()) {
            html.text(" (text)");
        }
        if (type.equals("timestamp")) {
            felt(type, value).ifPresent(seconds -> html.text(" = " + moment(seconds.toBigInteger())));
        }
    }

    /** The number of 256 bits that two words are, or nothing. */
    private Optional<BigInteger> number(JsonNode value) {
        return felt("u128", value.path("low"))
                .flatMap(low -> felt("u128", value.path("high")).flatMap(high -> Uint256.of(low, high)));
    }

    private Optional<Felt> felt(String type, JsonNode value) {
        try {
            return data == null ? Optional.empty() : Optional.of(data.felt(type, value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
