package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/**
 * A transaction of an account. Immutable.
 *
 * @param contract what is called; the account itself where it is deployed
 * @param body the signed transaction as it is sent, as JSON
 * @param failureReason empty where there is none
 */
public record StoredTransaction(
        String tenant,
        Felt chainId,
        Felt hash,
        TransactionType type,
        Felt sender,
        long nonce,
        Felt contract,
        String function,
        List<Felt> calldata,
        BigInteger maxFee,
        String body,
        TransactionState state,
        String failureReason,
        Instant created) {

    public StoredTransaction {
        calldata = List.copyOf(calldata);
    }
}
