package io.weir.bench.load.report;

import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.server.ServerName;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many times as much one server reached as another one in the same turn. What slows the machine down for seconds slows both
 * down, so this ratio shows differences that the medians of all turns hide. Immutable.
 *
 * @param turns in which both were measured
 * @param median of the turns' ratios
 * @param low of the 95 % confidence interval of that median, by the ranks of the ratios (normal approximation of the sign test)
 * @param high of that interval
 */
record PairedRatio(int turns, double median, double low, double high) {

    /** Fewest turns: the interval of fewer is wider than all ratios. */
    static final int MIN_TURNS = 6;

    /** Half of the standard normal distribution's 97.5 % quantile. */
    private static final double HALF_QUANTILE = 0.98;

    /** Compares two servers by their requests a second in one workload. */
    static PairedRatio of(Journal journal, String workload, ServerName server, ServerName other) {
        Map<Integer, Double> others = requests(journal, workload, other);
        return of(requests(journal, workload, server).entrySet().stream()
                .mapToDouble(turn -> turn.getValue() / others.getOrDefault(turn.getKey(), Double.NaN))
                .filter(Double::isFinite)
                .toArray());
    }

    private static PairedRatio of(double[] ratios) {
        Arrays.sort(ratios);
        int turns = ratios.length;
        if (turns == 0) {
            return new PairedRatio(0, Double.NaN, Double.NaN, Double.NaN);
        }
        int below = Math.max(0, (int) Math.floor(turns / 2.0 - HALF_QUANTILE * Math.sqrt(turns)) - 1);
        return new PairedRatio(turns, Spread.of(ratios).median(), ratios[below], ratios[turns - 1 - below]);
    }

    /** A short run repeats a workload that was far off: the last run of a turn counts. */
    private static Map<Integer, Double> requests(Journal journal, String workload, ServerName server) {
        return journal.figures().stream()
                .filter(figure -> figure.workload().equals(workload)
                        && figure.server() == server
                        && figure.metric() == Metric.REQUESTS)
                .collect(Collectors.toMap(Figure::turn, Figure::value, (before, again) -> again));
    }

    /** Returns whether there are enough turns for an interval. */
    boolean isThere() {
        return turns >= MIN_TURNS;
    }

    String text() {
        return String.format(Locale.ROOT, "%.3f (%.3f–%.3f), %d turns", median, low, high, turns);
    }
}
