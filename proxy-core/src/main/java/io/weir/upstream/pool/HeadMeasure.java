package io.weir.upstream.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Heads with which a pool's nodes are compared: those of the current round, and the best one of earlier rounds. The best head goes down
 * only at the end of a round in which every node answered, as after a rollback of the chain. Confined to the monitor's event loop.
 *
 * <p>Heads are compared as of the same moment. A node's head counts as of the moment of the question. Another node's head counts as of
 * the arrival of its answer. If that answer arrived after the question, the chain may have grown in between, and the node may be behind
 * by that growth. The growth rate is that between the last two rounds, and at least {@link #MIN_BLOCKS_PER_SECOND}.
 */
final class HeadMeasure {

    /** Faster than most chains. A late answer therefore says little about nodes that were asked long before it. */
    static final double MIN_BLOCKS_PER_SECOND = 10;

    /** Faster than any chain. The bound keeps a node with a false head from making all others count as current. */
    static final double MAX_BLOCKS_PER_SECOND = 1_000;

    private static final Sample NONE = new Sample(-1, 0);

    /**
     * Head that a node named.
     *
     * @param atNanos when its answer came
     */
    record Sample(long head, long atNanos) {}

    private final long maxLag;
    /** Lag of a lagging node up to which it returns: less than that of a node that leaves, so that no node comes and goes. */
    private final long returnLag;

    private final LongSupplier limit;
    private final List<Sample> samples = new ArrayList<>();
    private Sample last = NONE;
    private Sample lastBest = NONE;
    private double blocksPerNano = MIN_BLOCKS_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
    private boolean whole;

    /**
     * @param maxLag how many blocks a node may be behind
     * @param limit the highest head with which nodes may be compared
     */
    HeadMeasure(long maxLag, LongSupplier limit) {
        this.maxLag = maxLag;
        this.returnLag = Math.max(0, maxLag - Math.max(1, maxLag / 4));
        this.limit = limit;
    }

    /** Begins a round. The results of an unfinished round stay. */
    void beginRound() {
        Sample best = best();
        learnGrowth(lastBest, best);
        lastBest = best;
        // All these answers came before any question of the new round, so the best one is enough.
        last = best;
        samples.clear();
        whole = true;
    }

    private void learnGrowth(Sample from, Sample to) {
        long nanos = to.atNanos() - from.atNanos();
        if (from.head() >= 0 && nanos > 0) {
            double measured = ((double) to.head() - from.head()) * TimeUnit.SECONDS.toNanos(1) / nanos;
            double bounded = Math.min(MAX_BLOCKS_PER_SECOND, Math.max(measured, MIN_BLOCKS_PER_SECOND));
            blocksPerNano = bounded / TimeUnit.SECONDS.toNanos(1);
        }
    }

    void named(Sample sample) {
        samples.add(sample);
    }

    /** Notes that a node gave no answer in this round. */
    void missed() {
        whole = false;
    }

    /**
     * Ends the round.
     *
     * @param others the best head of usable nodes that were not asked in it; -1 if there is none
     */
    void endRound(long others, long nowNanos) {
        if (whole && !samples.isEmpty()) {
            last = others < 0 ? NONE : new Sample(others, nowNanos);
        }
    }

    /**
     * Returns why a node lags, or null if it does not.
     *
     * @param head the head that the node named
     * @param askedNanos when it was asked
     * @param lagging whether it lagged before
     */
    @Nullable
    String lag(long head, long askedNanos, boolean lagging) {
        long behind = Math.max(behind(last, head, askedNanos, lagging), behindRound(head, askedNanos, lagging));
        return behind > 0 ? "is " + behind + " blocks behind" : null;
    }

    /** Returns how far a head is behind those of this round, whatever earlier ones were; 0 if that is not too far. */
    long behindRound(long head, long askedNanos, boolean lagging) {
        return samples.stream()
                .mapToLong(sample -> behind(sample, head, askedNanos, lagging))
                .max()
                .orElse(0);
    }

    private long behind(Sample sample, long head, long askedNanos, boolean lagging) {
        long tolerated = lagging ? returnLag : maxLag;
        long behind = Math.min(sample.head(), limit.getAsLong()) - head;
        long later = sample.head() < 0 ? 0 : Math.max(0, sample.atNanos() - askedNanos);
        // As doubles: the sum of two large longs could overflow.
        return behind > tolerated + later * blocksPerNano ? behind : 0;
    }

    private Sample best() {
        return samples.stream()
                .max(Comparator.comparingLong(Sample::head))
                .filter(sample -> sample.head() > last.head())
                .orElse(last);
    }
}
