package io.weir.upstream.verdict;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Phrases that identify an error. A phrase begins at the beginning of a word, and its end is open: {@code revert} also
 * matches {@code reverted}, but not {@code irreverent}. A star matches anything. The search takes one pass per part, so no
 * text can make it slow. Immutable.
 */
final class Wording {

    /** Has no phrases, for rows whose other conditions decide. */
    static final Wording ANY = new Wording(List.of());

    private final List<String[]> phrases;

    private Wording(List<String[]> phrases) {
        this.phrases = phrases;
    }

    /** Creates the wording of any of these phrases, in lower case. */
    static Wording of(String... phrases) {
        return new Wording(Arrays.stream(phrases)
                .map(phrase ->
                        Arrays.stream(phrase.split("\\*")).map(String::strip).toArray(String[]::new))
                .toList());
    }

    /** Returns whether no phrase is required. */
    boolean isAny() {
        return phrases.isEmpty();
    }

    /** Returns whether the text, in lower case, contains one of the phrases, or none is required. */
    boolean in(String text) {
        return isAny() || holds(text, null);
    }

    /** Returns whether a node's own words contain one of the phrases, or none is required. */
    boolean in(CallerText text) {
        return isAny() || holds(text.ownWords(), text);
    }

    /** Returns the phrases, with one space for each star. */
    List<String> phrases() {
        return phrases.stream().map(parts -> String.join(" ", parts)).toList();
    }

    /** @param quoting has the ranges that do not count; null if all do */
    private boolean holds(String text, @Nullable CallerText quoting) {
        for (String[] phrase : phrases) {
            if (holds(text, phrase, quoting)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(String text, String[] parts, @Nullable CallerText quoting) {
        int at = find(text, parts[0], 0, true, quoting);
        for (int i = 1; at >= 0 && i < parts.length; i++) {
            at = find(text, parts[i], at + parts[i - 1].length(), false, quoting);
        }
        return at >= 0;
    }

    /** Returns the index of a part that counts, at the beginning of a word if {@code atWord}; -1 if there is none. */
    private static int find(String text, String part, int from, boolean atWord, @Nullable CallerText quoting) {
        int at = text.indexOf(part, from);
        while (at >= 0
                && ((atWord && at > 0 && isWord(text.charAt(at - 1)) && isWord(part.charAt(0)))
                        || (quoting != null && quoting.mayBeQuoted(at, part.length())))) {
            at = text.indexOf(part, at + 1);
        }
        return at;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
