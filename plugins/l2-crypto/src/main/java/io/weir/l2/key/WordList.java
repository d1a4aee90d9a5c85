package io.weir.l2.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The 2048 English words of BIP-39, in their order. Immutable. */
final class WordList {
    static final int SIZE = 2048;
    static final WordList ENGLISH = read();

    private final List<String> words;

    private WordList(List<String> words) {
        this.words = words;
    }

    /** The word at a place. */
    String word(int index) {
        return words.get(index);
    }

    /**
     * Returns the position of a word, or -1 if the list does not have it. The word comes as an array, so that no string is made
     * of it. The list is in the order of the alphabet.
     */
    int indexOf(char[] text, int from, int to) {
        int low = 0;
        int high = SIZE - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(words.get(middle), text, from, to);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -1;
    }

    private static int compare(String word, char[] text, int from, int to) {
        int length = Math.min(word.length(), to - from);
        for (int index = 0; index < length; index++) {
            int order = Character.compare(word.charAt(index), text[from + index]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(word.length(), to - from);
    }

    private static WordList read() {
        try (InputStream file = Objects.requireNonNull(WordList.class.getResourceAsStream("english.txt"))) {
            String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
            return new WordList(text.lines().collect(Collectors.toUnmodifiableList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
