package io.weir.devnet.chain;

import io.weir.devnet.execution.Execution;
import io.weir.devnet.execution.GasSchedule;
import io.weir.devnet.execution.Message;
import io.weir.devnet.execution.Outcome;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a transaction on the state: nonce, fees, and the requested action. Immutable.
 *
 * @param created the address of the contract that it created, also where that failed
 */
record Processing(
        WorldState state,
        boolean succeeded,
        long gasUsed,
        BigInteger price,
        List<Log> logs,
        @Nullable Address created) {

    /** Processes a transaction that {@link #fits} the state and the block. */
    static Processing of(WorldState before, SentTransaction sent, BlockContext block) {
        Transaction transaction = sent.transaction();
        Address sender = sent.sender();
        BigInteger price = Fees.price(transaction, block.burnt());
        WorldState paid = before.change(
                sender,
                account -> account.withNonce(account.nonce() + 1)
                        .plus(price.multiply(BigInteger.valueOf(transaction.gas()))
                                .negate())
                        .plus(blobCost(transaction, block).negate()));
        Outcome outcome = Execution.run(
                paid,
                new Message(sender, transaction.to(), transaction.value(), transaction.input(), transaction.nonce()));
        long used = gas(transaction, block, outcome.gas());
        boolean enough = used <= transaction.gas();
        long gasUsed = Math.min(used, transaction.gas());
        boolean succeeded = enough && outcome.succeeded();
        WorldState after = (succeeded ? outcome.state() : paid)
                .credit(sender, price.multiply(BigInteger.valueOf(transaction.gas() - gasUsed)))
                .credit(block.miner(), price.subtract(block.burnt()).multiply(BigInteger.valueOf(gasUsed)));
        Address created = transaction.to() == null ? ContractAddress.create(sender, transaction.nonce()) : null;
        return new Processing(after, succeeded, gasUsed, price, succeeded ? outcome.logs() : List.of(), created);
    }

    /** Whether a transaction can be put next onto a state. */
    static boolean fits(WorldState state, SentTransaction sent, BlockContext block) {
        var account = state.account(sent.sender());
        return account.nonce() == sent.transaction().nonce()
                && account.balance().compareTo(sent.cost()) >= 0
                && Fees.cap(sent.transaction()).compareTo(block.burnt()) >= 0;
    }

    private static long gas(Transaction transaction, BlockContext block, long execution) {
        long intrinsic = GasSchedule.intrinsic(
                block.fork(), transaction.to() == null, transaction.input(), transaction.accessList());
        return Math.max(intrinsic + execution, GasSchedule.floor(block.fork(), transaction.input()));
    }

    private static BigInteger blobCost(Transaction transaction, BlockContext block) {
        BigInteger price = block.blobPrice();
        return price == null ? BigInteger.ZERO : price.multiply(BigInteger.valueOf(BlobGas.of(transaction)));
    }
}
