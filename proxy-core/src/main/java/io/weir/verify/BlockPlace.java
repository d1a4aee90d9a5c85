package io.weir.verify;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;

/** What a transaction, a receipt and a log say of their place in a block. Pure. */
final class BlockPlace {

    private BlockPlace() {}

    /** The members that name the block and the transaction's index must be there and right; the block's time where it is there. */
    static void require(ObjectMembers members, BlockHeader header, int index) throws DifferenceException {
        members.require("blockHash", header.hash());
        members.requireUnsigned("blockNumber", header.number());
        members.requireUnsigned("transactionIndex", index);
        if (members.has("blockTimestamp")) {
            members.requireTime("blockTimestamp", header.timestamp());
        }
    }

    /** What a unit of gas cost in the end, in wei (EIP-1559). */
    static BigInteger effectiveGasPrice(Transaction transaction, BlockHeader header) {
        BigInteger price = transaction.gasPrice();
        if (price != null) {
            return price;
        }
        BigInteger most = transaction.maxFeePerGas();
        BigInteger tip = transaction.maxPriorityFeePerGas();
        BigInteger base = header.baseFeePerGas();
        if (most == null || tip == null) {
            throw new IllegalStateException("fees: none (expected: in type " + transaction.type() + ")");
        }
        return most.min((base == null ? BigInteger.ZERO : base).add(tip));
    }
}
