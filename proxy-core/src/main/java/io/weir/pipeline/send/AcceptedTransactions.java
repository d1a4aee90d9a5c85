package io.weir.pipeline.send;

import io.weir.cache.tier.RecordStore;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.ethereum.transaction.Transaction;
import io.weir.pipeline.CallContext;
import io.weir.upstream.LoopWaiter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that nodes of one network accepted from clients a short time ago. Clients read them here while a node does not have
 * them. Thread-safe.
 *
 * <ul>
 *   <li>A transaction leaves five minutes after it was sent, or earlier if there are too many. The oldest leave first.
 *   <li>A transaction replaces an older one of the same sender with the same nonce.
 *   <li>The store notes the block that a node named for a transaction. From then on only nodes with that block are asked for it.
 *   <li>A transaction that nodes still do not have some time after its nonce was used leaves too: another one was mined.
 *   <li>A transaction leaves if the node that accepted it refuses it. The refusals of other nodes do not count.
 * </ul>
 */
final class AcceptedTransactions {

    static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** Between two questions whether a nonce is used, and the time that nodes have to find the transaction that used it. */
    static final long USED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_COUNT = 20_000;
    private static final long MAX_BYTES = 32 << 20;

    /** Bytes of the objects of one transaction, about. */
    private static final int ENTRY_BYTES = 1_000;

    private final LongSupplier clock;
    private final int maxCount;
    private final long maxBytes;
    /** In the order of acceptance. */
    private final Map<Hash32, Accepted> byHash = new LinkedHashMap<>();

    private final Map<Place, Hash32> byPlace = new HashMap<>();
    private long bytes;
    private volatile boolean empty = true;

    /** A nonce of a sender. Immutable. */
    private record Place(Address sender, long nonce) {}

    /**
     * A transaction that a node accepted. Immutable.
     *
     * @param upstreamId the node that accepted it; empty if it was sent by another proxy
     * @param size bytes, about
     * @param nanos when it was accepted
     * @param block the number of its block; -1 while no node has named one
     * @param askedNanos when nodes were last asked whether its nonce is used; when it was accepted, at first
     * @param used whether the nonce was used then
     */
    record Accepted(
            Hash32 hash,
            Transaction transaction,
            Address sender,
            String upstreamId,
            long size,
            long nanos,
            long block,
            long askedNanos,
            boolean used) {

        private Accepted in(long number) {
            return new Accepted(hash, transaction, sender, upstreamId, size, nanos, number, askedNanos, used);
        }

        private Accepted asked(long now, boolean found) {
            return new Accepted(hash, transaction, sender, upstreamId, size, nanos, block, now, found);
        }

        private Place place() {
            return new Place(sender, transaction.nonce());
        }
    }

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    AcceptedTransactions(LongSupplier clock) {
        this(clock, MAX_COUNT, MAX_BYTES);
    }

    AcceptedTransactions(LongSupplier clock, int maxCount, long maxBytes) {
        this.clock = clock;
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
    }

    /** Returns the signer of a transaction; null if its signature is not valid. */
    static @Nullable Address sender(Transaction transaction) {
        try {
            return transaction.sender(SignatureRule.LOW_S);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Adds and returns a transaction that a node accepted; returns null if its signature is not valid.
     *
     * @param upstreamId the node; empty if the transaction was sent by another proxy
     * @param ageNanos since then
     */
    @Nullable
    Accepted add(Transaction transaction, Hash32 hash, String upstreamId, long ageNanos) {
        Address sender = sender(transaction);
        if (sender == null) {
            return null;
        }
        // The objects of lists take about twice the bytes that were sent.
        long size = ENTRY_BYTES + 2L * transaction.encoded().length;
        long now = clock.getAsLong();
        Accepted accepted = new Accepted(hash, transaction, sender, upstreamId, size, now - ageNanos, -1, now, false);
        add(accepted);
        return accepted;
    }

    private synchronized void add(Accepted accepted) {
        Hash32 hash = accepted.hash();
        Accepted same = byHash.get(hash);
        remove(hash);
        Hash32 replaced = byPlace.get(accepted.place());
        if (replaced != null) {
            remove(replaced);
        }
        byHash.put(hash, same == null ? accepted : accepted.in(same.block()));
        byPlace.put(accepted.place(), hash);
        bytes += accepted.size();
        trim();
    }

    /** Removes and returns a transaction if the node that accepted it is among those that refused it now; else returns null. */
    synchronized @Nullable Accepted removeIfRefused(Hash32 hash, Set<String> refusing) {
        Accepted accepted = byHash.get(hash);
        return accepted != null && refusing.contains(accepted.upstreamId()) ? remove(hash) : null;
    }

    /** Removes and returns a transaction; returns null if it is not here. */
    synchronized @Nullable Accepted remove(Hash32 hash) {
        Accepted accepted = byHash.remove(hash);
        if (accepted != null) {
            byPlace.remove(accepted.place());
            bytes -= accepted.size();
        }
        empty = byHash.isEmpty();
        return accepted;
    }

    /** Removes and returns all transactions. */
    synchronized List<Accepted> clear() {
        List<Accepted> removed = List.copyOf(byHash.values());
        byHash.clear();
        byPlace.clear();
        bytes = 0;
        empty = true;
        return removed;
    }

    boolean isEmpty() {
        return empty;
    }

    /** Returns a transaction; null if it is not here. */
    synchronized @Nullable Accepted find(Hash32 hash) {
        trim();
        Accepted accepted = byHash.get(hash);
        return accepted == null || isOld(accepted) ? null : accepted;
    }

    /** Notes the block that a node named for a transaction. */
    synchronized void mined(Hash32 hash, long block) {
        byHash.computeIfPresent(hash, (key, accepted) -> accepted.in(block));
    }

    /** Returns whether it is time to ask whether the nonce of a transaction is used. Nobody else is to ask then. */
    synchronized boolean mayAsk(Hash32 hash) {
        Accepted accepted = byHash.get(hash);
        long now = clock.getAsLong();
        if (accepted == null || accepted.used() || now - accepted.askedNanos() < USED_NANOS) {
            return false;
        }
        byHash.put(hash, accepted.asked(now, false));
        return true;
    }

    /** Notes that the nonce of a transaction is used. */
    synchronized void used(Hash32 hash) {
        long now = clock.getAsLong();
        byHash.computeIfPresent(hash, (key, accepted) -> accepted.asked(now, true));
    }

    /** Returns whether another transaction was mined in place of this one, which nodes still do not have. */
    boolean isReplaced(Accepted accepted) {
        return accepted.used() && clock.getAsLong() - accepted.askedNanos() >= USED_NANOS;
    }

    /**
     * Returns the next nonce of a sender.
     *
     * @param nonce the next one that a node named
     */
    synchronized long nextNonce(Address sender, long nonce) {
        trim();
        long next = nonce;
        while (isAccepted(byPlace.get(new Place(sender, next)))) {
            next++;
        }
        return next;
    }

    private boolean isAccepted(@Nullable Hash32 hash) {
        return hash != null && find(hash) != null;
    }

    /** Those of other proxies may be older than others that were added before. */
    private boolean isOld(Accepted accepted) {
        return clock.getAsLong() - accepted.nanos() >= MAX_AGE_NANOS;
    }

    private void trim() {
        while (!byHash.isEmpty()) {
            Accepted oldest = byHash.values().iterator().next();
            if (!isOld(oldest) && byHash.size() <= maxCount && bytes <= maxBytes) {
                break;
            }
            remove(oldest.hash());
        }
        empty = byHash.isEmpty();
    }

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
            records.writeRecord(
                    name(accepted.sender(), accepted.transaction().nonce()), record, LIFE_MILLIS, done -> {});
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
}
