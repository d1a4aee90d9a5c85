package io.weir.wallet.token;

import io.weir.l2.Felt;
import io.weir.l2.Uint256;
import io.weir.wallet.approval.Content.RequestedCall;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call of a function that tokens have, with its amount. Immutable.
 *
 * @param owner the address whose balance it moves, or from which others may take
 * @param counterparty the recipient, or the spender of an allowance
 * @param amount in the token's smallest unit
 */
public record TokenCall(Action action, Felt token, Felt owner, Felt counterparty, BigInteger amount) {

    /** The effect of a call. */
    public enum Action {
        /** Moves an amount now. */
        TRANSFER,
        /** Lets a spender take up to an amount later. */
        ALLOW,
        /** Lets a spender take an amount more than before. */
        ALLOW_MORE
    }

    private static final Map<String, Action> OF_CALLER = Map.of(
            "transfer", Action.TRANSFER,
            "approve", Action.ALLOW,
            "permit", Action.ALLOW,
            "increaseAllowance", Action.ALLOW_MORE,
            "increase_allowance", Action.ALLOW_MORE);

    private static final List<String> OF_OTHERS = List.of("transferFrom", "transfer_from");
    private static final int WORDS = 2;

    /**
     * Reads a call. Returns nothing if its function is not one that tokens have, or its data does not fit that function.
     *
     * @param account the account that makes the call
     */
    public static Optional<TokenCall> of(RequestedCall call, Felt account) {
        List<Felt> data = call.calldata();
        Action action = OF_CALLER.get(call.function());
        if (action != null && data.size() == 1 + WORDS) {
            return amount(data).map(amount -> new TokenCall(action, call.contract(), account, data.get(0), amount));
        }
        if (OF_OTHERS.contains(call.function()) && data.size() == 2 + WORDS) {
            return amount(data)
                    .map(amount -> new TokenCall(Action.TRANSFER, call.contract(), data.get(0), data.get(1), amount));
        }
        return Optional.empty();
    }

    private static Optional<BigInteger> amount(List<Felt> data) {
        return Uint256.of(data.get(data.size() - WORDS), data.get(data.size() - 1));
    }

    /** Whether it is an allowance of more than any token has, which is meant to have no limit. */
    public boolean isUnlimited() {
        return action != Action.TRANSFER && amount.bitLength() >= Uint256.WORD_BITS;
    }

    /** Returns the change of an account's balance of the token; 0 for allowances. */
    BigInteger change(Felt account) {
        if (action != Action.TRANSFER || owner.equals(counterparty)) {
            return BigInteger.ZERO;
        }
        return owner.equals(account) ? amount.negate() : counterparty.equals(account) ? amount : BigInteger.ZERO;
    }
}
