package io.weir.pipeline.send;

import io.weir.cache.tier.RecordStore;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import io.weir.upstream.LoopWaiter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepted transactions in a store that several proxies share. A record holds the time of acceptance and the signed bytes, so that no
 * writer can invent a transaction or its sender. A call waits a moment for the store, and then does without it. Thread-safe.
 *
 * @param chain distinguishes the chain from all others
 * @param millis the time of day, as {@link System#currentTimeMillis}
 */
record SharedTransactions(RecordStore records, String chain, LongSupplier millis) {

    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LIFE_MILLIS = TimeUnit.NANOSECONDS.toMillis(AcceptedTransactions.MAX_AGE_NANOS);

    /**
     * A transaction that another proxy sent. Immutable.
     *
     * @param ageNanos since a node accepted it, by the clocks of both proxies
     */
    record Shared(Transaction transaction, long ageNanos) {}

    void add(Accepted accepted) {
        byte[] encoded = accepted.transaction().encoded();
        byte[] record = ByteBuffer.allocate(Long.BYTES + encoded.length)
                .putLong(millis.getAsLong())
                .put(encoded)
                .array();
        records.writeRecord(name(accepted.hash()), record, LIFE_MILLIS, done -> {});
        records.writeRecord(name(accepted.sender(), accepted.transaction().nonce()), record, LIFE_MILLIS, done -> {});
    }

    void remove(Accepted accepted) {
        records.eraseRecord(name(accepted.hash()), gone -> {});
        records.eraseRecord(name(accepted.sender(), accepted.transaction().nonce()), gone -> {});
    }

    /** Delivers a transaction that another proxy sent, unless a later one has replaced it; null if there is none. */
    void find(Hash32 hash, CallContext context, Consumer<@Nullable Shared> sink) {
        read(name(hash), context, found -> {
            Address sender =
                    found != null && isOf(found, hash) ? AcceptedTransactions.sender(found.transaction()) : null;
            if (found == null || sender == null) {
                sink.accept(null);
            } else {
                find(
                        sender,
                        found.transaction().nonce(),
                        context,
                        latest -> sink.accept(latest != null && isOf(latest, hash) ? latest : null));
            }
        });
    }

    private static boolean isOf(Shared found, Hash32 hash) {
        return found.transaction().hash().equals(hash);
    }

    /** Delivers the transaction that a sender sent with a nonce; null if there is none. */
    void find(Address sender, long nonce, CallContext context, Consumer<@Nullable Shared> sink) {
        read(name(sender, nonce), context, found -> {
            boolean right = found != null
                    && found.transaction().nonce() == nonce
                    && sender.equals(AcceptedTransactions.sender(found.transaction()));
            sink.accept(right ? found : null);
        });
    }

    private void read(String name, CallContext context, Consumer<@Nullable Shared> sink) {
        LoopWaiter<RecordStore.ReadResult> waiter =
                new LoopWaiter<>(context.loop(), result -> context.step(() -> sink.accept(shared(result.bytes()))));
        records.readRecord(name, waiter::end);
        if (!waiter.isOver()) {
            waiter.giveUpAfter(
                    Math.min(MAX_WAIT_NANOS, context.deadlineNanos() - System.nanoTime()),
                    RecordStore.ReadResult.FAILED);
        }
    }

    private @Nullable Shared shared(byte @Nullable [] bytes) {
        if (bytes == null || bytes.length <= Long.BYTES) {
            return null;
        }
        // The clock of the other proxy may be ahead.
        long age = Math.max(0, millis.getAsLong() - ByteBuffer.wrap(bytes).getLong());
        try {
            Transaction transaction = Transaction.decode(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
            return age < LIFE_MILLIS ? new Shared(transaction, TimeUnit.MILLISECONDS.toNanos(age)) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private String name(Hash32 hash) {
        return "sent:" + chain + ':' + hash.hex();
    }

    private String name(Address sender, long nonce) {
        return "sent:" + chain + ':' + sender.hex() + ':' + Long.toUnsignedString(nonce);
    }
}
