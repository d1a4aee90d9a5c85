package io.weir.wallet.name;

import io.weir.api.setting.NearestName;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The name that a wrong one is most similar to. Thread-safe. */
public final class SimilarName {
    /** A caller's name may have any length, and each letter costs. */
    private static final int MAX_LENGTH = 64;

    private SimilarName() {}

    /** Returns the known name that the fewest changes of letters lead to. */
    public static String of(String wrong, Collection<String> known) {
        String cut = lower(wrong.length() > MAX_LENGTH ? wrong.substring(0, MAX_LENGTH) : wrong);
        return known.stream()
                .min(Comparator.comparingInt((String name) -> NearestName.distance(cut, lower(name)))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse("no parameters");
    }

    /** Returns {@code ; did you mean NAME?} if a known name differs in few letters; otherwise nothing. */
    public static String hint(String wrong, Collection<String> known) {
        String nearest = NearestName.nearest(wrong, known);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
