package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.Uint256;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * An amount of a token that a spender may take with an account's signature on a message. Immutable.
 *
 * @param token its contract; 0 if the message names none
 * @param amount in the token's smallest unit
 */
public record Allowance(Felt token, Felt spender, BigInteger amount) {

    /** The highest amount of a token, which means that an allowance has no limit. */
    public static final BigInteger MAX = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

    private static final Set<String> SPENDERS = Set.of("spender", "operator", "grantee", "delegate");
    private static final Set<String> TOKENS =
            Set.of("token", "tokenaddress", "asset", "currency", "contract", "contractaddress", "verifyingcontract");

    /** A flag in place of an amount: everything, or nothing. */
    private static final String FLAG = "allowed";

    private static final Set<String> AMOUNTS = Set.of("amount", "value", "allowance", "limit", FLAG);

    /** Members that change no amount: who allows, and for how long. */
    private static final Set<String> OTHERS = Set.of(
            "owner",
            "holder",
            "from",
            "nonce",
            "nonces",
            "deadline",
            "sigdeadline",
            "expiry",
            "expiration",
            "expires",
            "validuntil");

    /**
     * Returns the allowances of a message. No standard says where token, spender and amount stand, so they are found by their names: in
     * one struct, or with the spender and the token in structs around the amount. The domain may name the token of a message that {@link
     * #isWhole holds nothing else}.
     *
     * @throws IllegalArgumentException when a value is not of its type, or a struct names several spenders, tokens or amounts
     */
    public static List<Allowance> of(TypedData data) {
        Reader reader = new Reader(data, new ArrayList<>());
        Optional<Felt> token =
                isWhole(data.message()) ? reader.member(TOKENS, data.domain(), data.domainType()) : Optional.empty();
        reader.visit(data.message(), data.primaryType(), token.orElse(Felt.ZERO), Optional.empty());
        return reader.found();
    }

    /** Whether all values of a message have names that allowances have. Others can change what the signature allows. */
    public static boolean isWhole(JsonNode message) {
        return message.properties().stream().allMatch(member -> {
            String name = plainName(member.getKey());
            JsonNode value = member.getValue();
            if (value.isArray()) {
                return value.valueStream().allMatch(element -> element.isObject() && isWhole(element));
            }
            boolean isStruct = value.isObject() && !(AMOUNTS.contains(name) && isWords(value));
            return isStruct
                    ? isWhole(value)
                    : Stream.of(SPENDERS, TOKENS, AMOUNTS, OTHERS).anyMatch(known -> known.contains(name));
        });
    }

    private static boolean isWords(JsonNode struct) {
        return struct.size() == 2 && struct.has("low") && struct.has("high");
    }

    /** Returns a name without what applications write differently: capitals, spaces, hyphens and underscores. */
    public static String plainName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
    }

    /** The search through the structs of a message. Confined to one thread. */
    private record Reader(TypedData data, List<Allowance> found) {

        void visit(JsonNode value, String type, Felt outerToken, Optional<Felt> outerSpender) {
            if (value.isArray()) {
                String element = type.endsWith("*") ? TypeTable.element(type) : "";
                value.forEach(one -> visit(one, element, outerToken, outerSpender));
            }
            Felt token = member(TOKENS, value, type).orElse(outerToken);
            Optional<Felt> spender = member(SPENDERS, value, type).or(() -> outerSpender);
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                String inner = data.memberType(type, member.getKey());
                Optional<BigInteger> amount = amount(plainName(member.getKey()), member.getValue(), inner);
                if (amount.isPresent() && spender.isPresent()) {
                    found.add(new Allowance(token, spender.get(), amount.get()));
                } else {
                    visit(member.getValue(), inner, token, spender);
                }
            }
        }

        Optional<Felt> member(Set<String> names, JsonNode struct, String type) {
            Felt one = null;
            for (Map.Entry<String, JsonNode> member : struct.properties()) {
                String declared = data.memberType(type, member.getKey());
                boolean isFelt = !member.getValue().isContainer() && !data.isText(declared);
                if (isFelt && names.contains(plainName(member.getKey()))) {
                    Felt value = data.felt(declared, member.getValue());
                    if (one != null && !one.equals(value)) {
                        throw new IllegalArgumentException(member.getKey() + ": one of several (expected: one)");
                    }
                    one = value;
                }
            }
            return Optional.ofNullable(one);
        }

        private Optional<BigInteger> amount(String name, JsonNode value, String type) {
            if (!AMOUNTS.contains(name)
                    || (value.isContainer() && !isWords(value) && !value.path(0).isValueNode())) {
                return Optional.empty();
            }
            if (value.isObject()) {
                return Optional.of(words(value, type));
            }
            if (value.isArray() || data.isText(type)) {
                throw new IllegalArgumentException(name + ": unusable (expected: a number)");
            }
            BigInteger number = data.felt(type, value).toBigInteger();
            return Optional.of(name.equals(FLAG) && number.signum() > 0 ? MAX : number);
        }

        private BigInteger words(JsonNode value, String type) {
            return Uint256.of(
                            data.felt(data.memberType(type, "low"), value.path("low")),
                            data.felt(data.memberType(type, "high"), value.path("high")))
                    .orElseThrow(() -> new IllegalArgumentException(type + ": unusable (expected: words of 128 bits)"));
        }
    }
}
