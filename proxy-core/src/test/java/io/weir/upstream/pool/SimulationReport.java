package io.weir.upstream.pool;

import java.util.concurrent.TimeUnit;

/** Sums of many simulations, as text. Thread-safe. */
final class SimulationReport {

    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int TICKS_A_MILLI = 10;

    private final ConditionTimes times = new ConditionTimes();
    /** Calls by their time in ticks; the last one holds all longer ones. */
    private final long[] latencies = new long[11_000 * TICKS_A_MILLI];

    private int seeds;
    private long nodes;
    private long calls;
    private long failures;
    private long wrongFailures;
    private long first;
    private long retries;
    private long hedges;
    private long free;
    private long lacking;
    private long again;
    private long transactions;
    private long sends;

    /** Adds a simulation that has run. */
    synchronized void add(PoolSimulation run) {
        seeds++;
        nodes += run.size();
        calls += run.calls;
        failures += run.failures;
        wrongFailures += run.wrongFailures.size();
        AttemptLedger ledger = run.ledger;
        first += ledger.first;
        retries += ledger.retries;
        hedges += ledger.hedges;
        free += ledger.free;
        lacking += ledger.lacking;
        again += ledger.again;
        transactions += ledger.transactions;
        sends += ledger.sends;
        times.add(run.times);
        run.latencies.forEach(nanos -> latencies[(int) Math.min(latencies.length - 1, nanos / TICK_NANOS)]++);
    }

    /** Returns the text, in Markdown. */
    synchronized String text(long firstSeed) {
        String sums = """
                %,d seeds from %d: %,d nodes, %,d calls.

                | | |
                |---|---|
                | failed repeatable calls while a node would have answered | %,d |
                | all failed calls, with writes and those that no node would have answered | %,d |
                | retries, of calls | %.2f %% |
                | hedges, of calls | %.2f %% |
                | attempts after a node that lacks the data or takes no connection, of calls | %.2f %% |
                | attempts at state that a node lacks, for each node | %.2f |
                | of these, after it had said so of this block or a newer one | %.2f |
                | sends of a signed transaction | %.3f |
                | time of a call, ms: median / 95 %% / 99 %% / 99.9 %% | %.1f / %.1f / %.1f / %.1f |

                Median / 95th percentile / maximum:

                """.formatted(
                        seeds,
                        firstSeed,
                        nodes,
                        calls,
                        wrongFailures,
                        failures,
                        percent(retries),
                        percent(hedges),
                        percent(free),
                        (double) lacking / nodes,
                        (double) again / nodes,
                        (double) sends / transactions,
                        millis(0.5),
                        millis(0.95),
                        millis(0.99),
                        millis(0.999));
        return sums + times.table();
    }

    private double percent(long part) {
        return 100.0 * part / first;
    }

    private double millis(double quantile) {
        long total = 0;
        for (long count : latencies) {
            total += count;
        }
        long rank = (long) (total * quantile);
        int tick = 0;
        for (long below = latencies[0]; below <= rank; below += latencies[tick]) {
            tick++;
        }
        return (double) tick / TICKS_A_MILLI;
    }
}
