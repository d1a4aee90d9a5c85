package io.weir.upstream.verdict;

import java.util.Arrays;
import java.util.List;

/**
 * Phrases that say what an error is. A phrase begins where a word begins, and its end is open: {@code revert} stands for
 * {@code reverted} too, and not for {@code irreverent}. A star in it stands for anything between. Searched in one pass for
 * each part, so that no text can make it slow. Immutable.
 */
final class Wording {

    /** Of no phrases: what matters is something else. */
    static final Wording ANY = new Wording(List.of());

    private final List<String[]> phrases;

    private Wording(List<String[]> phrases) {
        this.phrases = phrases;
    }

    /** Any of these phrases, in small letters. */
    static Wording of(String... phrases) {
        return new Wording(Arrays.stream(phrases)
                .map(phrase ->
                        Arrays.stream(phrase.split("\\*")).map(String::strip).toArray(String[]::new))
                .toList());
    }

    /** Whether the text, in small letters, holds one of the phrases, or none is wanted. */
    boolean in(String text) {
        if (phrases.isEmpty()) {
            return true;
        }
        for (String[] phrase : phrases) {
            if (holds(text, phrase)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(String text, String[] parts) {
        int at = atWord(text, parts[0]);
        for (int i = 1; at >= 0 && i < parts.length; i++) {
            int from = at + parts[i - 1].length();
            at = text.indexOf(parts[i], from);
        }
        return at >= 0;
    }

    private static int atWord(String text, String part) {
        int at = text.indexOf(part);
        while (at > 0 && isWord(text.charAt(at - 1)) && isWord(part.charAt(0))) {
            at = text.indexOf(part, at + 1);
        }
        return at;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
