package io.weir.devnet.mining;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.Fees;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.execution.Fork;
import io.weir.devnet.execution.GasSchedule;
import io.weir.ethereum.Address;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;

/** The rules that a transaction must fulfil by itself, whatever else waits. Thread-safe. */
final class TransactionRules {
    private static final int MAX_BYTES = 128 * 1024;

    private TransactionRules() {}

    /** Reads a transaction and finds its sender. */
    static SentTransaction read(byte[] encoded, ChainBlock head) {
        if (encoded.length > MAX_BYTES) {
            throw rejected("oversized data: transaction size " + encoded.length + ", limit " + MAX_BYTES);
        }
        checkType(encoded);
        Transaction transaction;
        try {
            transaction = Transaction.decode(encoded);
        } catch (RlpException e) {
            throw rejected(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw rejected("invalid transaction v, r, s values: " + e.getMessage());
        }
        check(transaction, head);
        return SentTransaction.of(transaction, sender(transaction));
    }

    private static void checkType(byte[] encoded) {
        if (encoded.length == 0) {
            throw rejected("typed transaction too short");
        }
        int first = encoded[0] & 0xff;
        if (first < 0xc0 && first != 1 && first != 2) {
            throw rejected("transaction type not supported: tx type " + first + " not supported by this pool");
        }
    }

    private static void check(Transaction transaction, ChainBlock head) {
        Fork fork = Fork.at(head.number() + 1);
        boolean creation = transaction.to() == null;
        int size = transaction.input().size();
        if (creation && size > GasSchedule.MAX_INIT_CODE_BYTES) {
            throw rejected(
                    "max initcode size exceeded: code size " + size + ", limit " + GasSchedule.MAX_INIT_CODE_BYTES);
        }
        if (Long.compareUnsigned(transaction.gas(), head.header().gasLimit()) > 0) {
            throw rejected("exceeds block gas limit");
        }
        if (Fees.tipCap(transaction).compareTo(Fees.cap(transaction)) > 0) {
            throw rejected("max priority fee per gas higher than max fee per gas");
        }
        if (transaction.nonce() < 0) {
            throw rejected("nonce has max value");
        }
        long intrinsic = GasSchedule.intrinsic(fork, creation, transaction.input(), transaction.accessList());
        if (transaction.gas() < intrinsic) {
            throw rejected("intrinsic gas too low: gas " + transaction.gas() + ", minimum needed " + intrinsic);
        }
        long floor = GasSchedule.floor(fork, transaction.input());
        if (transaction.gas() < floor) {
            throw rejected(
                    "insufficient gas for floor data gas cost: gas " + transaction.gas() + ", minimum needed " + floor);
        }
        if (Fees.tipCap(transaction).signum() == 0) {
            throw rejected("transaction underpriced: gas tip cap 0, minimum needed 1");
        }
    }

    private static Address sender(Transaction transaction) {
        BigInteger chainId = transaction.chainId();
        if (chainId == null) {
            throw rejected("only replay-protected (EIP-155) transactions allowed over RPC");
        }
        if (!chainId.equals(BigInteger.valueOf(Chain.ID))) {
            throw rejected("invalid sender: invalid chain id for signer: have " + chainId + " want " + Chain.ID);
        }
        try {
            return transaction.sender(SignatureRule.LOW_S);
        } catch (IllegalArgumentException e) {
            throw rejected("invalid sender: invalid transaction v, r, s values");
        }
    }

    static TransactionRejected rejected(String reason) {
        return new TransactionRejected(reason);
    }
}
