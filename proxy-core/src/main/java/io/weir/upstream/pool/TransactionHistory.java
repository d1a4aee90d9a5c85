package io.weir.upstream.pool;

import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.pool.MissCheck.Miss;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of whether one node lacks old transactions, as configured or as learned. Nodes that prune their transaction index
 * lack them. A contradiction by another node marks no node; it only starts a check of the contradicted node, see {@link
 * MissCheck}. The check is repeated after {@link #RECHECK_NANOS}. The mark is dropped if it no longer holds, or if {@link
 * #MAX_UNANSWERED} rechecks bring no answer. Thread-safe.
 */
final class TransactionHistory {

    static final long RECHECK_NANOS = TimeUnit.MINUTES.toNanos(10);
    static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Nanoseconds between two checks of an unmarked node, however many of its null answers are contradicted. */
    static final long CHECK_GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Consecutive unanswered rechecks after which the mark is dropped. */
    static final int MAX_UNANSWERED = 10;

    /** Number of recently checked transactions to remember, so that a repeated lookup is checked once. */
    private static final int CHECKED = 64;

    private final Transactions configured;
    private final int checksPerMinute;
    private final LongSupplier clock;
    private final int[] checked = new int[CHECKED];
    private int checkedCount;
    private int nextChecked;
    private double tokens;
    private long refilledNanos;
    private long nextCheckNanos;
    private long recheckNanos;
    private int unanswered;
    private @Nullable Miss missed;
    private volatile boolean lacking;

    /**
     * @param checksPerMinute null answers to check per minute while nothing is known; also the burst
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    TransactionHistory(Transactions configured, int checksPerMinute, LongSupplier clock) {
        this.configured = configured;
        this.checksPerMinute = checksPerMinute;
        this.clock = clock;
        this.tokens = checksPerMinute;
        this.refilledNanos = clock.getAsLong();
        this.nextCheckNanos = refilledNanos;
        this.lacking = configured == Transactions.RECENT;
    }

    /** Returns whether the node lacks old transactions. */
    boolean isLacking() {
        return lacking;
    }

    /** Returns whether to check a null answer to this lookup although the node is not known to lack any. Takes one check. */
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
        checked[nextChecked] = fingerprint;
        nextChecked = (nextChecked + 1) % CHECKED;
        checkedCount = Math.min(CHECKED, checkedCount + 1);
        return true;
    }

    private boolean wasChecked(int fingerprint) {
        for (int i = 0; i < checkedCount; i++) {
            if (checked[i] == fingerprint) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes that another node contradicted a null answer.
     *
     * @param block the block that holds the transaction, according to the other node
     * @return the miss to check, or null if none is to be checked now; {@link #checked} must follow
     */
    synchronized @Nullable Miss missed(RpcCall call, long block) {
        long now = clock.getAsLong();
        if (configured != Transactions.LEARNED || lacking || nextCheckNanos - now > 0) {
            return null;
        }
        nextCheckNanos = now + CHECK_GAP_NANOS;
        RawJson params = call.params();
        return new Miss(new RpcCall(RawJson.of("1"), call.method(), params == null ? null : params.compact()), block);
    }

    /** Returns the miss to check again, or null if it is not due. {@link #checked} must follow. */
    synchronized @Nullable Miss dueRecheck() {
        if (missed == null || recheckNanos - clock.getAsLong() > 0) {
            return null;
        }
        recheckNanos = clock.getAsLong() + RETRY_NANOS;
        return missed;
    }

    /** Applies the result of a check. */
    synchronized void checked(Miss miss, MissCheck.Result result) {
        boolean recheck = miss.equals(missed);
        if (missed != null && !recheck) {
            return;
        }
        switch (result) {
            case LACKS -> {
                missed = miss;
                unanswered = 0;
                recheckNanos = clock.getAsLong() + RECHECK_NANOS;
                lacking = true;
            }
            case HAS -> drop();
            case UNANSWERED -> {
                if (recheck && ++unanswered >= MAX_UNANSWERED) {
                    drop();
                }
            }
            default -> throw new IllegalStateException("result: " + result);
        }
    }

    private void drop() {
        missed = null;
        unanswered = 0;
        lacking = false;
    }
}
