package io.weir.pipeline.send;

import io.weir.cache.tier.bytes.RecordStore;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import io.weir.pipeline.watch.LoopWaiter;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepted transactions in a store that several proxies share. A record holds the signed bytes, so that no writer can invent a
 * transaction or its sender. A call waits a moment for the store, and then does without it. Thread-safe.
 */
final class SharedTransactions {

    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LIFE_MILLIS = TimeUnit.NANOSECONDS.toMillis(AcceptedTransactions.MAX_AGE_NANOS);

    private final RecordStore records;
    private final String prefix;

    /**
     * Creates the view of one chain.
     *
     * @param chain distinguishes the chain from all others
     */
    SharedTransactions(RecordStore records, String chain) {
        this.records = records;
        this.prefix = "sent:" + chain + ':';
    }

    void add(Accepted accepted) {
        byte[] encoded = accepted.transaction().encoded();
        records.writeRecord(name(accepted.hash()), encoded, LIFE_MILLIS, done -> {});
        records.writeRecord(name(accepted.sender(), accepted.transaction().nonce()), encoded, LIFE_MILLIS, done -> {});
    }

    void remove(Accepted accepted) {
        records.eraseRecord(name(accepted.hash()), gone -> {});
        records.eraseRecord(name(accepted.sender(), accepted.transaction().nonce()), gone -> {});
    }

    /** Delivers a transaction that another proxy sent, unless a later one has replaced it; null if there is none. */
    void find(Hash32 hash, CallContext context, Consumer<@Nullable Transaction> sink) {
        read(name(hash), context, found -> {
            Address sender = found == null || !found.hash().equals(hash) ? null : AcceptedTransactions.sender(found);
            if (found == null || sender == null) {
                sink.accept(null);
            } else {
                find(
                        sender,
                        found.nonce(),
                        context,
                        latest -> sink.accept(latest != null && latest.hash().equals(hash) ? latest : null));
            }
        });
    }

    /** Delivers the transaction that a sender sent with a nonce; null if there is none. */
    void find(Address sender, long nonce, CallContext context, Consumer<@Nullable Transaction> sink) {
        read(name(sender, nonce), context, found -> {
            boolean right =
                    found != null && found.nonce() == nonce && sender.equals(AcceptedTransactions.sender(found));
            sink.accept(right ? found : null);
        });
    }

    private void read(String name, CallContext context, Consumer<@Nullable Transaction> sink) {
        LoopWaiter<RecordStore.ReadResult> waiter = new LoopWaiter<>(
                context.loop(), result -> context.step(() -> sink.accept(transaction(result.bytes()))));
        records.readRecord(name, waiter::end);
        if (!waiter.ended()) {
            waiter.giveUpAfter(
                    Math.min(MAX_WAIT_NANOS, context.deadlineNanos() - System.nanoTime()),
                    RecordStore.ReadResult.FAILED);
        }
    }

    private static @Nullable Transaction transaction(byte @Nullable [] bytes) {
        try {
            return bytes == null ? null : Transaction.decode(bytes);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private String name(Hash32 hash) {
        return prefix + hash.hex();
    }

    private String name(Address sender, long nonce) {
        return prefix + sender.hex() + ':' + Long.toUnsignedString(nonce);
    }
}
