package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Tells messages by which an account signs in from those by which it may move funds. Only what is known is harmless: the names of the
 * members, and values that can be no amount and no address. Thread-safe.
 */
public final class SignIn {
    private static final Set<String> TYPES =
            Set.of("signin", "login", "auth", "authentication", "authenticate", "challenge");

    private static final Set<String> DOMAIN = Set.of("name", "version", "chainid", "revision");

    private static final Set<String> TEXTS =
            Set.of("statement", "message", "text", "title", "description", "purpose", "uri", "url", "origin");

    private static final Set<String> ACCOUNTS =
            Set.of("account", "address", "user", "useraddress", "wallet", "walletaddress", "signer");

    /** The highest values of numbers: no key and no address is as short as these. */
    private static final Map<String, BigInteger> NUMBERS = Map.ofEntries(
            Map.entry("nonce", BigInteger.ONE.shiftLeft(128)),
            Map.entry("version", BigInteger.ONE.shiftLeft(32)),
            Map.entry("issuedat", BigInteger.ONE.shiftLeft(38)),
            Map.entry("expiresat", BigInteger.ONE.shiftLeft(38)),
            Map.entry("expiry", BigInteger.ONE.shiftLeft(38)),
            Map.entry("expirationtime", BigInteger.ONE.shiftLeft(38)),
            Map.entry("timestamp", BigInteger.ONE.shiftLeft(38)));

    private SignIn() {}

    /**
     * Whether a message is a sign-in of nothing but text, times, a nonce and the account itself, by which no contract moves funds.
     *
     * @param account the account that signs
     * @throws IllegalArgumentException when a value is not of its type
     */
    public static boolean is(TypedData data, Felt account) {
        return TYPES.contains(Allowance.plainName(data.primaryType()))
                && DOMAIN.containsAll(data.domain().propertyNames().stream()
                        .map(Allowance::plainName)
                        .toList())
                && !data.message().isEmpty()
                && data.message().properties().stream()
                        .allMatch(member -> isHarmless(
                                Allowance.plainName(member.getKey()),
                                data,
                                data.memberType(data.primaryType(), member.getKey()),
                                member.getValue(),
                                account));
    }

    private static boolean isHarmless(String name, TypedData data, String type, JsonNode value, Felt account) {
        if (value.isContainer()) {
            return false;
        }
        String text = value.asString("");
        if (data.isText(type)) {
            return TEXTS.contains(name);
        }
        Felt felt = data.felt(type, value);
        // A felt is a number if it reads as one, whatever its type is called.
        boolean isText =
                ShortString.spells(text, felt) && text.chars().allMatch(letter -> letter >= ' ' && letter <= '~');
        BigInteger most = NUMBERS.get(name);
        if (most != null) {
            return felt.toBigInteger().compareTo(most) <= 0 || isText;
        }
        return ACCOUNTS.contains(name) ? felt.equals(account) : TEXTS.contains(name) && isText;
    }
}
