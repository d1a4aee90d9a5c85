package io.weir.wallet.name;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The name that a wrong one is most similar to. Thread-safe. */
public final class SimilarName {
    private static final int MAX_LENGTH = 64;
    private static final int LETTERS_FOR_ONE_MISTAKE = 3;

    private SimilarName() {}

    /** Returns the known name that the fewest changes of letters lead to. */
    public static String of(String wrong, Collection<String> known) {
        String cut = wrong.length() > MAX_LENGTH ? wrong.substring(0, MAX_LENGTH) : wrong;
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(lower(cut), lower(name)))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse("no parameters");
    }

    /** Returns {@code ; did you mean NAME?} if a known name differs in few letters; otherwise nothing. */
    public static String hint(String wrong, Collection<String> known) {
        if (known.isEmpty() || wrong.length() > MAX_LENGTH) {
            return "";
        }
        String similar = of(wrong, known);
        int few = Math.max(1, wrong.length() / LETTERS_FOR_ONE_MISTAKE);
        return distance(lower(wrong), lower(similar)) <= few ? "; did you mean " + similar + "?" : "";
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= one.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= other.length(); column++) {
                int replaced = diagonal + (one.charAt(line - 1) == other.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[other.length()];
    }
}
