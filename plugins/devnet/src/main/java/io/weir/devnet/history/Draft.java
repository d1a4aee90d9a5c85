package io.weir.devnet.history;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.execution.Fork;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** A transaction of the history that still lacks nonce and signature. Confined to one thread. */
record Draft(DevAccount from, TransactionType type, TransactionBuilder transaction) {
    private static final long GWEI = 1_000_000_000;
    private static final BigInteger PRICE = BigInteger.valueOf(20 * GWEI);
    private static final BigInteger CAP = BigInteger.valueOf(30 * GWEI);
    private static final BigInteger TIP = BigInteger.valueOf(2 * GWEI);

    static Draft of(DevAccount from, TransactionType type, long gas, @Nullable Address to) {
        TransactionBuilder builder = Transaction.builder(type).gas(gas).to(to);
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(CAP).maxPriorityFeePerGas(TIP);
        } else {
            builder.gasPrice(PRICE);
        }
        return new Draft(from, type, builder);
    }

    Draft value(BigInteger wei) {
        transaction.value(wei);
        return this;
    }

    Draft input(Bytes data) {
        transaction.input(data);
        return this;
    }

    /** Signed, for the chain where its fork knows of chains. */
    SentTransaction sign(long nonce, Fork fork) {
        if (fork.includes(Fork.SPURIOUS_DRAGON)) {
            transaction.chainId(Chain.ID);
        }
        return SentTransaction.of(transaction.nonce(nonce).build().sign(from.key()), from.address());
    }
}
