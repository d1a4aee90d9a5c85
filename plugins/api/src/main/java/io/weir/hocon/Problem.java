package io.weir.hocon;

import java.util.Comparator;

/**
 * One problem of the configuration. Immutable.
 *
 * @param file as the user named it
 * @param line from 1
 * @param column from 1; 0 if the text was not found on that line
 * @param path of the setting
 * @param value the value found; never a secret
 * @param rule the expected value
 */
public record Problem(String file, int line, int column, String path, String value, String rule)
        implements Comparable<Problem> {

    private static final Comparator<Problem> ORDER = Comparator.comparing(Problem::file)
            .thenComparingInt(Problem::line)
            .thenComparingInt(Problem::column)
            .thenComparing(Problem::path)
            .thenComparing(Problem::value)
            .thenComparing(Problem::rule);

    @Override
    public int compareTo(Problem other) {
        return ORDER.compare(this, other);
    }

    /** Returns the printed line: {@code file:line:column: path: value (expected: rule)}. */
    @Override
    public String toString() {
        String position = column > 0 ? file + ":" + line + ":" + column : file + ":" + line;
        return position + ": " + path + ": " + value + " (expected: " + rule + ")";
    }
}
