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

    /**
     * Returns the allowances of a message. No standard says where token, spender and amount stand, so they are found by their names: in
     * one struct, or with the spender and the token in structs around the amount. The domain may name the token too.
     *
     * @throws IllegalArgumentException when a value is not of its type
     */
    public static List<Allowance> of(TypedData data) {
        Reader reader = new Reader(data, new ArrayList<>());
        Optional<Felt> token = reader.member(TOKENS, data.domain(), data.domainType());
        reader.visit(data.message(), data.primaryType(), token.orElse(Felt.ZERO), Optional.empty());
        return reader.found();
    }

    /** Returns a name without what applications write differently: capitals, spaces and underscores. */
    public static String plainName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
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
            for (Map.Entry<String, JsonNode> member : struct.properties()) {
                String declared = data.memberType(type, member.getKey());
                boolean isFelt = !member.getValue().isContainer() && !data.isText(declared);
                if (isFelt && names.contains(plainName(member.getKey()))) {
                    return Optional.of(data.felt(declared, member.getValue()));
                }
            }
            return Optional.empty();
        }

        private Optional<BigInteger> amount(String name, JsonNode value, String type) {
            if (!AMOUNTS.contains(name) || value.isArray() || data.isText(type)) {
                return Optional.empty();
            }
            if (value.isObject()) {
                return value.has("low") && value.has("high") ? words(value, type) : Optional.empty();
            }
            BigInteger number = data.felt(type, value).toBigInteger();
            return Optional.of(name.equals(FLAG) && number.signum() > 0 ? MAX : number);
        }

        private Optional<BigInteger> words(JsonNode value, String type) {
            return Uint256.of(
                    data.felt(data.memberType(type, "low"), value.path("low")),
                    data.felt(data.memberType(type, "high"), value.path("high")));
        }
    }
}
