package io.weir.verify;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;

/** Comparison of the members that name a position: of a transaction, a receipt or a log in its block. Stateless. */
final class PositionFields {

    private PositionFields() {}

    /** Requires the block and the transaction's index; the block's time may be absent. */
    static void require(ObjectMembers members, BlockHeader header, int index) throws DifferenceException {
        requireBlock(members, header, index);
        if (members.given("blockTimestamp")) {
            members.requireUnsigned("blockTimestamp", header.timestamp());
        }
    }

    /** Requires the same of a receipt, whose time may also be a JSON number. */
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
     * Requires the type. It may be absent in blocks without a base fee: nodes older than types know no other block. Readers take a
     * transaction without a type for a legacy one.
     */
    static void requireType(ObjectMembers members, int type, BlockHeader header) throws DifferenceException {
        if (isTyped(type, header)) {
            members.requireGiven("type");
        }
        if (members.given("type")) {
            members.requireUnsigned("type", type);
        }
    }

    /** Requires the type of a receipt likewise. On some chains no receipt shows it. */
    static void requireTypeOfReceipt(ObjectMembers members, int type, BlockHeader header)
            throws DifferenceException, UnknownPartException {
        if (isTyped(type, header)) {
            members.expect("type");
        }
        requireType(members, type, header);
    }

    private static boolean isTyped(int type, BlockHeader header) {
        return type != TransactionType.LEGACY.number() || header.baseFeePerGas() != null;
    }

    /** Returns the effective price of a unit of gas, in wei (EIP-1559). */
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
