package io.weir.devnet.mining;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.Fees;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.state.Account;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that wait to be mined, bounded in number and bytes, in all and by sender. Drops transactions after {@value
 * #LIFETIME_BLOCKS} blocks of waiting. Thread-safe.
 */
public final class Mempool {
    private static final int MAX_PER_SENDER = 256;
    private static final long LIFETIME_BLOCKS = 1024;

    private final Chain chain;
    private final PoolBounds bounds;
    private final Map<Address, SenderQueue> senders = new HashMap<>();
    private final Map<Hash32, SentTransaction> byHash = new HashMap<>();
    private long bytes;
    private long version;

    /** An empty pool before the head of a chain. */
    public Mempool(Chain chain, PoolBounds bounds) {
        this.chain = chain;
        this.bounds = bounds;
    }

    /**
     * Takes a transaction as it is sent and hashed.
     *
     * @throws TransactionRejected when it may not wait
     */
    public SentTransaction add(byte[] encoded) {
        ChainBlock head = chain.head();
        // Finding the sender is the slow part, and needs no lock.
        SentTransaction sent = TransactionRules.read(encoded, head);
        synchronized (this) {
            SenderQueue queue = senders.getOrDefault(sent.sender(), new SenderQueue());
            check(sent, queue, head.state());
            remove(queue.at(sent.transaction().nonce()));
            queue.put(sent, head.number());
            senders.put(sent.sender(), queue);
            byHash.put(sent.hash(), sent);
            bytes += sent.sizeBytes();
            version++;
        }
        return sent;
    }

    /** A transaction that waits, or null. */
    public synchronized @Nullable SentTransaction get(Hash32 hash) {
        return byHash.get(hash);
    }

    /** A number that changes whenever what waits does. */
    public synchronized long version() {
        return version;
    }

    /** The nonce that a sender's next transaction should have, after a state and what waits. */
    public synchronized long nextNonce(Address sender, WorldState state) {
        long nonce = state.account(sender).nonce();
        SenderQueue queue = senders.get(sender);
        return queue == null ? nonce : nonce + queue.executable(nonce).size();
    }

    /** Returns the transactions that can be mined on a state: the best tips first, each sender's by nonce. */
    public List<SentTransaction> executable(WorldState state, BigInteger baseFee) {
        List<Line> lines = new ArrayList<>();
        synchronized (this) {
            senders.forEach((sender, queue) ->
                    lines.add(new Line(queue.executable(state.account(sender).nonce()), baseFee)));
        }
        PriorityQueue<Line> best = new PriorityQueue<>();
        lines.stream().filter(Line::advance).forEach(best::add);
        List<SentTransaction> ordered = new ArrayList<>();
        for (Line line = best.poll(); line != null; line = best.poll()) {
            ordered.add(line.current());
            if (line.advance()) {
                best.add(line);
            }
        }
        return ordered;
    }

    /** Lets go of what a new head has mined or made impossible. */
    public synchronized void prune(ChainBlock head) {
        Iterator<Map.Entry<Address, SenderQueue>> entries = senders.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Address, SenderQueue> entry = entries.next();
            Account account = head.state().account(entry.getKey());
            entry.getValue()
                    .removeStale(account, head.number() - LIFETIME_BLOCKS)
                    .forEach(this::remove);
            if (entry.getValue().size() == 0) {
                entries.remove();
            }
        }
    }

    private void check(SentTransaction sent, SenderQueue queue, WorldState state) {
        if (byHash.containsKey(sent.hash())) {
            throw TransactionRules.rejected("already known");
        }
        Account account = state.account(sent.sender());
        if (sent.transaction().nonce() < account.nonce()) {
            throw TransactionRules.rejected("nonce too low: next nonce " + account.nonce() + ", tx nonce "
                    + sent.transaction().nonce());
        }
        queue.checkFunds(sent, account);
        queue.checkReplacement(sent);
        if (queue.at(sent.transaction().nonce()) == null) {
            checkRoom(sent, queue);
        }
        if (state.entries() >= bounds.maxStateEntries()) {
            throw TransactionRules.rejected(
                    "devnet is full: " + state.entries() + " accounts and slots (expected: fewer; start it anew)");
        }
    }

    private void checkRoom(SentTransaction sent, SenderQueue queue) {
        if (queue.size() >= MAX_PER_SENDER) {
            throw TransactionRules.rejected("account limit exceeded: pooled " + queue.size() + " txs");
        }
        if (byHash.size() >= bounds.maxTransactions() || bytes + sent.sizeBytes() > bounds.maxBytes()) {
            throw TransactionRules.rejected("txpool is full");
        }
    }

    private void remove(@Nullable SentTransaction sent) {
        if (sent != null && byHash.remove(sent.hash()) != null) {
            bytes -= sent.sizeBytes();
            version++;
        }
    }

    /** One sender's transactions on their way into a block, compared by the tip of the current one. */
    private static final class Line implements Comparable<Line> {
        private static final Comparator<Line> BY_TIP =
                Comparator.comparing(Line::tip).reversed();

        private final Iterator<SentTransaction> rest;
        private final BigInteger baseFee;
        private @Nullable SentTransaction current;

        Line(List<SentTransaction> transactions, BigInteger baseFee) {
            rest = transactions.iterator();
            this.baseFee = baseFee;
        }

        boolean advance() {
            current = rest.hasNext() ? rest.next() : null;
            return current != null;
        }

        SentTransaction current() {
            if (current == null) {
                throw new IllegalStateException("line: at its end (expected: before)");
            }
            return current;
        }

        private BigInteger tip() {
            return Fees.price(current().transaction(), baseFee).subtract(baseFee);
        }

        @Override
        public int compareTo(Line other) {
            return BY_TIP.compare(this, other);
        }
    }
}
