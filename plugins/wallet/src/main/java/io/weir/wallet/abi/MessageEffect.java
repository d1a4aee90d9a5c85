package io.weir.wallet.abi;

import io.weir.l2.Felt;
import io.weir.l2.Uint256;
import io.weir.l2.typed.Allowance;
import io.weir.l2.typed.OutsideExecution;
import io.weir.l2.typed.SignIn;
import io.weir.l2.typed.TypedData;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The effect of a signature on a typed message, as far as the wallet understands the message. Immutable.
 *
 * @param outside the calls that others may submit; null unless it is an outside execution
 * @param allowances the amounts that others may take, each as a call of its token
 * @param isHarmless whether it is a sign-in of nothing but text, times and the account itself, by which no contract moves funds
 * @param problem what cannot be read of the message; empty if all can
 */
public record MessageEffect(
        @Nullable OutsideExecution outside, List<RequestedCall> allowances, boolean isHarmless, String problem) {

    /** The function of an allowance by signature. The account does not call it: the spender hands the signature in. */
    private static final String PERMIT = "permit";

    /** As many as {@code sendTransaction} takes. */
    private static final int MAX_CALLS = 32;

    public MessageEffect {
        allowances = List.copyOf(allowances);
    }

    /**
     * Reads a message. The effect of a message that cannot be read is unknown.
     *
     * @param account the account that signs
     */
    public static MessageEffect of(JsonNode typedData, Felt account) {
        try {
            TypedData data = TypedData.of(typedData);
            if (data.primaryType().equals(OutsideExecution.TYPE)) {
                OutsideExecution outside = OutsideExecution.of(data);
                checkNumber(outside.calls());
                return new MessageEffect(outside, List.of(), false, "");
            }
            List<RequestedCall> allowances =
                    Allowance.of(data).stream().map(MessageEffect::call).toList();
            checkNumber(allowances);
            boolean isHarmless = allowances.isEmpty() && SignIn.is(data, account);
            boolean isWhole = allowances.isEmpty() || Allowance.isWhole(data.message());
            return new MessageEffect(null, allowances, isHarmless, isWhole ? "" : "it holds more than allowances");
        } catch (IllegalArgumentException e) {
            return new MessageEffect(null, List.of(), false, String.valueOf(e.getMessage()));
        }
    }

    private static RequestedCall call(Allowance allowance) {
        return new RequestedCall(
                allowance.token(),
                PERMIT,
                Stream.concat(Stream.of(allowance.spender()), Uint256.words(allowance.amount()).stream())
                        .toList(),
                List.of(
                        new Argument(
                                "spender",
                                "ContractAddress",
                                allowance.spender().toHex()),
                        new Argument("amount", "u256", allowance.amount().toString())));
    }

    private static void checkNumber(List<?> calls) {
        if (calls.size() > MAX_CALLS) {
            throw new IllegalArgumentException(calls.size() + " calls (expected: at most " + MAX_CALLS + ")");
        }
    }
}
