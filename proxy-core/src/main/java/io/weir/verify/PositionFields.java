package io.weir.verify;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;

/** What a transaction, a receipt and a log say of their place in a block. Pure. */
final class PositionFields {

    private PositionFields() {}

    /** The members that name the block and the transaction's index must be there and right; the block's time where it is there. */
    static void require(ObjectMembers members, BlockHeader header, int index) throws DifferenceException {
        requireBlock(members, header, index);
        if (members.given("blockTimestamp")) {
            members.requireUnsigned("blockTimestamp", header.timestamp());
        }
    }

    /** As above, for a receipt: its time may also be a JSON number. */
    static void requireOfReceipt(ObjectMembers members, BlockHeader header, int index) throws DifferenceException {
        requireBlock(members, header, index);
        if (members.given("blockTimestamp")) {
            members.requireTime("blockTimestamp", header.timestamp());
        }
    }

    private static void requireBlock(ObjectMembers members, BlockHeader header, int index) throws DifferenceException {
        members.require("blockHash", header.hash());
        members.requireUnsigned("blockNumber", header.number());
        members.requireUnsigned("transactionIndex", index);
    }

    /**
     * The type must be there where all nodes write it, and be right. Nodes from before types leave it out, and readers take that
     * for a legacy transaction: allowed in blocks without a base fee, because such nodes know no other block.
     */
    static void requireType(ObjectMembers members, Transaction transaction, BlockHeader header)
            throws DifferenceException {
        if (transaction.type() != TransactionType.LEGACY || header.baseFeePerGas() != null) {
            members.requireGiven("type");
        }
        if (members.given("type")) {
            members.requireUnsigned("type", transaction.type().number());
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
