package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.reflect.ColumnName;

/**
 * A transaction of an account. Immutable.
 *
 * @param calls what the account calls, in order, one at least; of a deployment, the constructor at its own address
 * @param body the signed transaction as it is sent, as JSON
 * @param failureReason empty where there is none
 * @param approval an approval has at most one transaction for each of its parts, which the table enforces
 */
public record StoredTransaction(
        String tenant,
        Felt chainId,
        Felt hash,
        TransactionType type,
        Felt sender,
        long nonce,
        List<NamedCall> calls,
        BigInteger maxFee,
        String body,
        TransactionState state,
        String failureReason,
        @ColumnName("created_millis") Instant created,
        @Nested Approval approval) {

    /**
     * The approval that a transaction was signed for. Immutable.
     *
     * @param id empty where none is known, for transactions of older versions
     * @param part its place among the transactions of one approval: an account's deployment, then its call
     */
    public record Approval(@ColumnName("approval") String id, int part) {
        /** No known approval. */
        public static final Approval NONE = new Approval("", 0);
    }

    public StoredTransaction {
        calls = List.copyOf(calls);
    }

    /** Whether it is in a block, and its effects but the fee were undone. */
    public boolean isReverted() {
        return state == TransactionState.ACCEPTED_ON_L2 && !failureReason.isEmpty();
    }
}
