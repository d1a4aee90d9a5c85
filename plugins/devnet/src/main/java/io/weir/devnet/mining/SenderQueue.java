package io.weir.devnet.mining;

import io.weir.devnet.chain.Fees;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.state.Account;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The waiting transactions of one sender, by nonce. Guarded by its {@link Mempool}. */
final class SenderQueue {
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);
    private static final BigInteger BUMPED = BigInteger.valueOf(110);

    private final NavigableMap<Long, Waiting> byNonce = new TreeMap<>();

    /** A transaction and the number of the block at whose time it came. */
    private record Waiting(SentTransaction sent, long since) {}

    int size() {
        return byNonce.size();
    }

    @Nullable
    SentTransaction at(long nonce) {
        Waiting waiting = byNonce.get(nonce);
        return waiting == null ? null : waiting.sent();
    }

    void put(SentTransaction sent, long blockNumber) {
        byNonce.put(sent.transaction().nonce(), new Waiting(sent, blockNumber));
    }

    /** Checks that the sender can pay for a transaction on top of all others that wait. */
    void checkFunds(SentTransaction sent, Account account) {
        BigInteger cost = sent.cost();
        BigInteger balance = account.balance();
        String funds = "insufficient funds for gas * price + value: balance " + balance + ", ";
        if (balance.compareTo(cost) < 0) {
            throw TransactionRules.rejected(funds + "tx cost " + cost + ", overshot " + cost.subtract(balance));
        }
        BigInteger queued = BigInteger.ZERO;
        for (Waiting other : byNonce.values()) {
            if (other.sent().transaction().nonce() != sent.transaction().nonce()) {
                queued = queued.add(other.sent().cost());
            }
        }
        BigInteger needed = queued.add(cost);
        if (balance.compareTo(needed) < 0) {
            throw TransactionRules.rejected(
                    funds + "queued cost " + queued + ", tx cost " + cost + ", overshot " + needed.subtract(balance));
        }
    }

    /** Checks that a transaction pays a tenth more than the one that it replaces, if any. */
    void checkReplacement(SentTransaction sent) {
        SentTransaction old = at(sent.transaction().nonce());
        if (old != null
                && (isBelowBump(Fees.cap(sent.transaction()), Fees.cap(old.transaction()))
                        || isBelowBump(Fees.tipCap(sent.transaction()), Fees.tipCap(old.transaction())))) {
            throw TransactionRules.rejected("replacement transaction underpriced");
        }
    }

    /** Returns the transactions that can be mined one after the other from a nonce on. */
    List<SentTransaction> executable(long nonce) {
        List<SentTransaction> line = new ArrayList<>();
        for (SentTransaction next = at(nonce); next != null; next = at(nonce + line.size())) {
            line.add(next);
        }
        return line;
    }

    /** Takes out what can never be mined, or has waited since before a block. */
    List<SentTransaction> removeStale(Account account, long oldestBlock) {
        List<SentTransaction> stale = new ArrayList<>();
        byNonce.values().removeIf(waiting -> {
            boolean gone = waiting.sent().transaction().nonce() < account.nonce()
                    || waiting.sent().cost().compareTo(account.balance()) > 0
                    || waiting.since() < oldestBlock;
            if (gone) {
                stale.add(waiting.sent());
            }
            return gone;
        });
        return stale;
    }

    private static boolean isBelowBump(BigInteger offered, BigInteger old) {
        return offered.multiply(HUNDRED).compareTo(old.multiply(BUMPED)) < 0;
    }
}
