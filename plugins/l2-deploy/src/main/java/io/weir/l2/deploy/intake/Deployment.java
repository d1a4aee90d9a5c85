package io.weir.l2.deploy.intake;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An account's deployment, whose fields are all right. Immutable, but for {@link #normal}, which nobody changes.
 *
 * @param normal the transaction as it is sent on: numbers in hex without leading zeros
 * @param query whether its version says that it may only be estimated, never sent
 * @param payment what pays for it and how; null where a resource bound is one hex string, so that it has no hash that could be
 *     told
 */
public record Deployment(
        ObjectNode normal,
        boolean query,
        Felt classHash,
        Felt salt,
        List<Felt> calldata,
        @Nullable Payment payment) {
    /** Elements of the calldata whose hashes the method's own cost covers. */
    private static final int INCLUDED_ELEMENTS = 100;

    /** A Pedersen hash takes up to a tenth of a millisecond. */
    private static final int ELEMENTS_OF_UNIT = 10;

    public Deployment {
        calldata = List.copyOf(calldata);
    }

    /** The hashed fields beside the contract. Immutable. */
    record Payment(
            Felt nonce,
            BigInteger tip,
            ResourceBounds bounds,
            List<Felt> paymasterData,
            DataAvailability nonceMode,
            DataAvailability feeMode) {}

    /** Returns what hashing it costs more than hashing one with few elements, in units of about a millisecond. */
    public int moreUnits() {
        return Math.max(0, calldata.size() - INCLUDED_ELEMENTS) / ELEMENTS_OF_UNIT;
    }

    /** Whether a resource bound is one hex string. */
    public boolean bare() {
        return payment == null;
    }

    /** The address of the contract. */
    public Felt address() {
        return ContractAddress.ofAccount(classHash, salt, calldata);
    }

    /**
     * The hash on a chain; null where it cannot be told.
     *
     * @param address the contract's, which is dear to compute
     */
    public @Nullable Felt hash(Felt chainId, Felt address) {
        if (payment == null) {
            return null;
        }
        TransactionFields fields = new TransactionFields(
                chainId,
                payment.nonce(),
                payment.tip(),
                payment.bounds(),
                payment.paymasterData(),
                payment.nonceMode(),
                payment.feeMode(),
                query);
        return TransactionHash.ofDeployAccount(fields, address, classHash, salt, calldata);
    }
}
