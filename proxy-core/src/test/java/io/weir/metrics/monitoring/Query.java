package io.weir.metrics.monitoring;

import io.weir.metrics.Meter;
import java.util.List;
import java.util.regex.Pattern;

/** PromQL about meters of the catalogue. Labels that a meter lacks are refused. Stateless. */
final class Query {

    /** The one metric of the proxy that is no meter: its value is always 1. */
    static final String BUILD = "weir_build_info";

    private static final Pattern MATCHED_LABEL = Pattern.compile("(\\w+)(?==~?\"|!=|!~)");

    private Query() {}

    /** Returns the growth of a counter in a second, summed by labels. */
    static String rate(Meter counter, String matchers, String window, String... by) {
        return sum("rate", counter, matchers, window, by);
    }

    /** Returns the growth of a counter within the window, summed by labels. */
    static String increase(Meter counter, String matchers, String window, String... by) {
        return sum("increase", counter, matchers, window, by);
    }

    private static String sum(String function, Meter counter, String matchers, String window, String... by) {
        expect(counter, Meter.Kind.COUNTER);
        return "sum%s (%s(%s[%s]))".formatted(by(counter, by), function, selected(counter, "", matchers), window);
    }

    /** Returns a gauge, aggregated by labels. */
    static String gauge(String aggregation, Meter gauge, String matchers, String... by) {
        return "%s%s (%s)".formatted(aggregation, by(gauge, by), gauge(gauge, matchers));
    }

    /** Returns the series of a gauge. */
    static String gauge(Meter gauge, String matchers) {
        expect(gauge, Meter.Kind.GAUGE);
        return selected(gauge, "", matchers);
    }

    /** Returns a quantile of a timer's durations in seconds, by labels. */
    static String quantile(String quantile, Meter timer, String matchers, String window, String... by) {
        expect(timer, Meter.Kind.TIMER);
        String labels = by(timer, by).replaceFirst("^$", " by ()").replace("(", by.length == 0 ? "(le" : "(le, ");
        return "histogram_quantile(%s, sum%s (rate(%s[%s])))"
                .formatted(quantile, labels, selected(timer, "_bucket", matchers), window);
    }

    private static void expect(Meter meter, Meter.Kind kind) {
        if (meter.kind() != kind) {
            throw new IllegalArgumentException(meter + ": " + meter.kind() + " (expected: " + kind + ")");
        }
    }

    private static String by(Meter meter, String... labels) {
        check(meter, List.of(labels));
        return labels.length == 0 ? "" : " by (" + String.join(", ", labels) + ")";
    }

    private static String selected(Meter meter, String suffix, String matchers) {
        check(
                meter,
                MATCHED_LABEL
                        .matcher(matchers)
                        .results()
                        .map(label -> label.group(1))
                        .toList());
        return meter.exportedName() + suffix + (matchers.isEmpty() ? "" : "{" + matchers + "}");
    }

    /** Prometheus adds the label {@code instance} to each series. */
    private static void check(Meter meter, List<String> labels) {
        for (String label : labels) {
            if (!label.equals("instance") && !meter.labels().contains(label)) {
                throw new IllegalArgumentException(meter + ": label " + label + " (expected: " + meter.labels() + ")");
            }
        }
    }
}
