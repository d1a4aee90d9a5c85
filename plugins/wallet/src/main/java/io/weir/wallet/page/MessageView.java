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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A typed message as a person reads it: its effect, its chain, and its content as nested lists with names. Immutable. */
final class MessageView {

    /** Deeper values are written as JSON; messages that can be signed are less deep. */
    static final int MAX_DEPTH = 40;

    /** The characters of each part of a title. */
    static final int MAX_PART = 60;

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

    /** Returns a view of typed data, or null if there is none. */
    static @Nullable MessageView of(@Nullable JsonNode typedData) {
        return typedData == null ? null : new MessageView(typedData);
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

    /** Returns who may do what by the signature. The sentences about its calls follow. */
    String effect(Felt account, Instant now) {
        MessageEffect effect = MessageEffect.of(message, account);
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
     * Returns for which chain it is.
     *
     * @param callChain the chain of the call, as text
     */
    String chain(String callChain) {
        String text = message.path("domain").path("chainId").asString("");
        if (text.isEmpty()) {
            return "It names no chain: it is good on every one.";
        }
        String name = chain();
        return "For the chain " + name + (name.equals(text) ? "" : " (" + text + ")")
                + (isFor(callChain) ? "." : ", which is not that of the call.");
    }

    /** Whether it is for the chain of the call alone. */
    boolean isFor(String callChain) {
        return chain().equals(callChain);
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

    /** Returns all of it. */
    JsonNode json() {
        return message;
    }

    String primaryType() {
        return message.path("primaryType").asString("");
    }

    String domainType() {
        return data == null ? "" : data.domainType();
    }

    /** Returns the type of a member of an object; empty if it is not known. */
    String memberType(String type, String name) {
        return data == null ? "" : data.memberType(type, name);
    }

    static String itemType(String type) {
        return type.endsWith("*") ? type.substring(0, type.length() - 1) : "";
    }

    /** Returns what a value means that does not look so: text or a time. */
    String meaning(String name, String type, JsonNode value) {
        if (type.equals("timestamp") || (!value.isContainer() && TIMES.contains(Allowance.plainName(name)))) {
            return felt("timestamp", value)
                    .map(seconds -> " = " + moment(seconds.toBigInteger()))
                    .orElse("");
        }
        boolean isText = type.equals("felt")
                && felt(type, value)
                        .filter(felt -> ShortString.spells(value.asString(""), felt))
                        .isPresent();
        return isText ? " (text)" : "";
    }

    /** Returns the number of 256 bits that two words are; empty if it is none. */
    String number(String type, JsonNode value) {
        return Optional.of(value)
                .filter(words -> type.equals("u256"))
                .flatMap(words -> felt("u128", words.path("low")))
                .flatMap(low -> felt("u128", value.path("high")).flatMap(high -> Uint256.of(low, high)))
                .map(BigInteger::toString)
                .orElse("");
    }

    private Optional<Felt> felt(String type, JsonNode value) {
        try {
            return data == null ? Optional.empty() : Optional.of(data.felt(type, value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
