package io.weir.metrics;

import java.util.List;

/**
 * The conversion between a meter with label values and one registry name. A registry knows flat names only, so the
 * parts are joined with a character that label values never contain.
 */
final class MeterName {

    private static final char DIVIDER = '\u001f';

    private MeterName() {}

    static String of(Meter meter, String... labelValues) {
        if (labelValues.length != meter.labels().size()) {
            throw new IllegalArgumentException("labels of " + meter + ": " + labelValues.length + " (expected: "
                    + meter.labels().size() + ")");
        }
        StringBuilder name = new StringBuilder(meter.id());
        for (String value : labelValues) {
            name.append(DIVIDER).append(value.replace(DIVIDER, '_'));
        }
        return name.toString();
    }

    static String id(String name) {
        int end = name.indexOf(DIVIDER);
        return end < 0 ? name : name.substring(0, end);
    }

    static List<String> labelValues(String name) {
        int end = name.indexOf(DIVIDER);
        return end < 0 ? List.of() : List.of(name.substring(end + 1).split(String.valueOf(DIVIDER), -1));
    }
}
