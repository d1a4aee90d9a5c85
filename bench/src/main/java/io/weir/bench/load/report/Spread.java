package io.weir.bench.load.report;

import java.util.Arrays;

/** The median of some turns, with the lowest and the highest. Immutable. */
public record Spread(int turns, double median, double lowest, double highest) {

    /** Returns that of some values; of none it is not a number. */
    public static Spread of(double[] values) {
        if (values.length == 0) {
            return new Spread(0, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(sorted.length, median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Whether there is any value. */
    public boolean isThere() {
        return turns > 0;
    }

    String text(Metric metric) {
        if (!isThere()) {
            return "";
        }
        return turns == 1
                ? metric.text(median)
                : metric.text(median) + " (" + metric.text(lowest) + "–" + metric.text(highest) + ")";
    }
}
