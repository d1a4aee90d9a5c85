package io.weir.wallet.approval;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalRequest.RequestedCall;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of one token that a tenant may transfer without a person. Immutable.
 *
 * @param perCall the most of one request, in the token's smallest unit, over all its calls; null for no bound
 * @param perDay the most of all requests of a day; null for no bound
 * @param recipients that may get it; null for all
 */
record AmountRule(
        @Nullable BigInteger perCall,
        @Nullable BigInteger perDay,
        @Nullable Set<Felt> recipients) {
    private static final String TRANSFER = "transfer";
    private static final int WORD_BITS = 128;

    /** Whether a call of the token transfers an amount within the rule: any other function could move more. */
    boolean permits(RequestedCall call) {
        return isTransfer(call)
                && (perCall == null || amount(call).compareTo(perCall) <= 0)
                && (recipients == null || recipients.contains(call.calldata().get(0)));
    }

    /** Whether a call of a token transfers an amount that it names. */
    static boolean isTransfer(RequestedCall call) {
        List<Felt> calldata = call.calldata();
        return call.function().equals(TRANSFER)
                && calldata.size() == 3
                && calldata.get(1).toBigInteger().bitLength() <= WORD_BITS
                && calldata.get(2).toBigInteger().bitLength() <= WORD_BITS;
    }

    /** The amount of a transfer. */
    static BigInteger amount(RequestedCall call) {
        BigInteger low = call.calldata().get(1).toBigInteger();
        return call.calldata().get(2).toBigInteger().shiftLeft(WORD_BITS).add(low);
    }
}
