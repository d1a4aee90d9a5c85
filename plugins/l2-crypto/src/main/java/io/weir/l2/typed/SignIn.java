package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Tells messages by which an account signs in from those by which it may move funds. Thread-safe. */
public final class SignIn {
    private static final Set<String> TYPES =
            Set.of("signin", "login", "auth", "authentication", "authenticate", "challenge");

    /** Members that are numbers and no amounts. */
    private static final Set<String> COUNTS =
            Set.of("nonce", "version", "chainid", "issuedat", "expiresat", "expiry", "expirationtime", "timestamp");

    private SignIn() {}

    /**
     * Whether a message is a sign-in of nothing but text, times and the account itself, by which no contract moves funds.
     *
     * @param account the account that signs
     * @throws IllegalArgumentException when a value is not of its type
     */
    public static boolean is(TypedData data, Felt account) {
        String struct = data.primaryType();
        return TYPES.contains(Allowance.plainName(struct))
                && data.message().properties().stream()
                        .allMatch(member -> COUNTS.contains(Allowance.plainName(member.getKey()))
                                ? !member.getValue().isContainer()
                                : isHarmless(
                                        data, data.memberType(struct, member.getKey()), member.getValue(), account));
    }

    /** A felt is a number if it reads as one, whatever its type is called: only text and the account itself are harmless. */
    private static boolean isHarmless(TypedData data, String type, JsonNode value, Felt account) {
        if (value.isContainer()) {
            return false;
        }
        if (data.isText(type) || type.equals("bool") || type.equals("timestamp")) {
            return true;
        }
        Felt felt = data.felt(type, value);
        String text = value.asString("");
        return felt.equals(account)
                || (text.length() <= ShortString.MAX_CHARACTERS && felt.equals(ShortString.encode(text)));
    }
}
