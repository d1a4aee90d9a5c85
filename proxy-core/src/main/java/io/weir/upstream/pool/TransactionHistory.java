package io.weir.upstream.pool;

import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one node lacks old transactions, as nodes do that prune their index of them: as the configuration says, or as was
 * learned. A node is marked when it answered {@code null} for a transaction that another node has in a block which this one has
 * too. After {@link #RECHECK_NANOS} it is asked for that transaction again; the mark stays until it has it. Thread-safe.
 */
final class TransactionHistory {

    static final long RECHECK_NANOS = TimeUnit.MINUTES.toNanos(10);
    static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Transactions that another node has, it is not known in which block, that mark a node within {@link #RECHECK_NANOS}. */
    static final int UNPLACED = 3;

    /** Transactions checked last: one that clients ask for again and again is checked once. */
    private static final int CHECKED = 64;

    private final Transactions configured;
    private final int checksPerMinute;
    private final LongSupplier clock;
    private final int[] checked = new int[CHECKED];
    private int checks;
    private double tokens;
    private long refilledNanos;
    private int unplaced;
    private long unplacedNanos;
    private long recheckNanos;
    private @Nullable RpcCall missed;
    private volatile boolean lacking;

    /**
     * Begins with what is configured.
     *
     * @param checksPerMinute null answers that are checked where nothing is known, and so many at once
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    TransactionHistory(Transactions configured, int checksPerMinute, LongSupplier clock) {
        this.configured = configured;
        this.checksPerMinute = checksPerMinute;
        this.clock = clock;
        this.tokens = checksPerMinute;
        this.refilledNanos = clock.getAsLong();
        this.lacking = configured == Transactions.RECENT;
    }

    /** Whether the node lacks old transactions. */
    boolean isLacking() {
        return lacking;
    }

    /** Whether its null answer to this lookup is to be checked, although the node is not known to lack any. Takes one check. */
    synchronized boolean takeCheck(RpcCall call) {
        if (configured != Transactions.LEARNED || lacking) {
            return false;
        }
        long now = clock.getAsLong();
        double perNano = (double) checksPerMinute / TimeUnit.MINUTES.toNanos(1);
        tokens = Math.min(checksPerMinute, tokens + (now - refilledNanos) * perNano);
        refilledNanos = now;
        RawJson params = call.params();
        int fingerprint = params == null ? 0 : params.hashCode();
        if (tokens < 1 || wasChecked(fingerprint)) {
            return false;
        }
        tokens--;
        checked[checks++ % CHECKED] = fingerprint;
        return true;
    }

    private boolean wasChecked(int fingerprint) {
        for (int i = 0; i < Math.min(checks, CHECKED); i++) {
            if (checked[i] == fingerprint) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes that the node answered null for a transaction that another node has.
     *
     * @param placed whether it is known to be in a block that this node has
     */
    synchronized void missed(RpcCall call, boolean placed) {
        if (configured != Transactions.LEARNED) {
            return;
        }
        long now = clock.getAsLong();
        if (now - unplacedNanos > RECHECK_NANOS) {
            unplaced = 0;
        }
        unplacedNanos = now;
        unplaced += placed ? UNPLACED : 1;
        if (unplaced >= UNPLACED) {
            RawJson params = call.params();
            missed = new RpcCall(RawJson.of("1"), call.method(), params == null ? null : params.compact());
            recheckNanos = now + RECHECK_NANOS;
            lacking = true;
        }
    }

    /** The lookup to ask the node for again, where it is time; {@link #rechecked} is to follow. Null where there is none. */
    synchronized @Nullable RpcCall dueRecheck() {
        if (missed == null || recheckNanos - clock.getAsLong() > 0) {
            return null;
        }
        recheckNanos = clock.getAsLong() + RETRY_NANOS;
        return missed;
    }

    /**
     * Notes what the node answered when it was asked again.
     *
     * @param found whether it has the transaction now
     */
    synchronized void rechecked(boolean found) {
        if (missed == null) {
            return;
        }
        if (found) {
            missed = null;
            unplaced = 0;
            lacking = false;
        } else {
            recheckNanos = clock.getAsLong() + RECHECK_NANOS;
        }
    }
}
