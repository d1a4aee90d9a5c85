package io.weir.bench.load.report;

import java.util.Locale;

/**
 * Something to be reached. Immutable.
 *
 * @param workload that shows it
 * @param found NaN where it was not measured
 * @param wanted the least, or the most
 * @param atLeast whether more is better
 * @param unit behind the values
 * @param lenient how much of it a short run on a busy machine must show; 0 where such a run shows nothing
 */
public record Goal(
        String workload, String what, double found, double wanted, boolean atLeast, String unit, double lenient) {

    /** Of a short run: an order of magnitude is let pass. */
    public static final double ORDER_OF_MAGNITUDE = 0.1;

    static Goal least(String workload, String what, double found, double wanted, String unit) {
        return new Goal(workload, what, found, wanted, true, unit, 0);
    }

    static Goal most(String workload, String what, double found, double wanted, String unit) {
        return new Goal(workload, what, found, wanted, false, unit, 0);
    }

    /** The same, held to an order of magnitude by short runs too: it is a ratio, and no time. */
    Goal inShortRuns() {
        return new Goal(workload, what, found, wanted, atLeast, unit, ORDER_OF_MAGNITUDE);
    }

    /** Whether it was measured. */
    public boolean isMeasured() {
        return !Double.isNaN(found);
    }

    /** Whether it is reached. */
    public boolean isReached() {
        return isMeasured() && (atLeast ? found >= wanted : found <= wanted);
    }

    /** Whether it is off by more than an order of magnitude, where that can be said of a short run. */
    public boolean isFarOff() {
        return lenient > 0 && isMeasured() && atLeast && found < wanted * lenient;
    }

    String row() {
        String verdict = !isMeasured() ? "not measured" : isReached() ? "reached" : "**not reached**";
        return "| " + what + " | " + (isMeasured() ? value(found) : "–") + " | " + (atLeast ? "≥ " : "< ")
                + value(wanted) + " | " + verdict + " |";
    }

    private String value(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%,.2f" : "%,.0f", value) + unit;
    }
}
