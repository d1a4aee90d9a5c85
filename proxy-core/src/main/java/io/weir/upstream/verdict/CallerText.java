package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Parts of a node's error text that come from the caller: method names outside the catalogue, and strings of the parameters.
 * They are found by the runs of characters that both texts share, so quoting, escaping, truncation and lower case do not
 * hide them. Takes time linear in the two texts. Confined to one thread.
 */
final class CallerText implements CallerStrings.Sink {

    /** Length of shared runs that count as the caller's, wherever they occur. */
    static final int LONG_RUN = 8;

    /**
     * Length of shared runs for short phrases. A phrase shorter than {@link #LONG_RUN} is the caller's if all its runs of
     * this length are shared.
     */
    static final int SHORT_RUN = 4;

    /** Replaces a character that came from the caller. It is a letter, so that no word seems to begin after it. */
    static final char MASK = '\u00ff';

    /** Stands for all characters that occur in no phrase of the error table. */
    static final int OTHER = 0;

    private final String text;
    private final GramTable shorts;
    private final GramTable longs;
    private String ownWords = "";
    private long window;
    private int filled;

    private CallerText(String text) {
        this.text = text;
        this.shorts = new GramTable(text.length());
        this.longs = new GramTable(text.length());
    }

    /**
     * Finds the parts of a text that quote calls.
     *
     * @param text as {@link #fold(String)} makes it
     * @param known whether the names of all methods are known, so that no caller invented them
     */
    static CallerText in(String text, List<RpcCall> calls, boolean known) {
        CallerText found = new CallerText(text);
        found.index();
        for (RpcCall call : calls) {
            if (!known) {
                found.take(call.method());
            }
            RawJson params = call.params();
            if (params != null) {
                CallerStrings.read(params, found);
            }
        }
        found.ownWords = found.masked();
        return found;
    }

    /** Returns the character to compare; {@link #OTHER} if no phrase can contain it. */
    static int fold(int c) {
        if (c >= 'A' && c <= 'Z') {
            return c + ('a' - 'A');
        }
        if (c > ' ' && c < 0x7f) {
            return c;
        }
        return switch (c) {
            // Lower or upper case turns these into ASCII letters: the Kelvin sign, the long s, the dotted and the
            // dotless i.
            case 0x212a -> 'k';
            case 0x17f -> 's';
            case 0x130, 0x131 -> 'i';
            default -> c <= ' ' || Character.isWhitespace(c) || Character.isSpaceChar(c) ? ' ' : OTHER;
        };
    }

    /** Returns a node's text with each character folded and each run of white space as one space. Other characters stay. */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int letter = fold(c);
            if (letter != ' ' || folded.length() == 0 || folded.charAt(folded.length() - 1) != ' ') {
                folded.append(letter == OTHER ? c : (char) letter);
            }
        }
        return folded.toString();
    }

    /** Returns the node's own words: the text with the caller's long runs masked, character for character. */
    String ownWords() {
        return ownWords;
    }

    /** Returns the text with short runs masked too, for words that mean nothing inside longer ones. */
    String ownWordsStrictly() {
        StringBuilder strict = new StringBuilder(ownWords);
        for (int i = 0; i + SHORT_RUN <= text.length(); i++) {
            if (shorts.wasSeen(gram(i, SHORT_RUN))) {
                mask(strict, i, SHORT_RUN);
            }
        }
        return strict.toString();
    }

    /** Returns whether a phrase at a position in the text may come from the caller. Long phrases are masked already. */
    boolean mayBeQuoted(int start, int length) {
        if (length < SHORT_RUN || length >= LONG_RUN) {
            return false;
        }
        for (int i = start; i + SHORT_RUN <= start + length; i++) {
            if (!shorts.wasSeen(gram(i, SHORT_RUN))) {
                return false;
            }
        }
        return true;
    }

    private void index() {
        for (int i = 0; i + SHORT_RUN <= text.length(); i++) {
            add(shorts, gram(i, SHORT_RUN));
            if (i + LONG_RUN <= text.length()) {
                add(longs, gram(i, LONG_RUN));
            }
        }
    }

    private static void add(GramTable table, long gram) {
        if (gram != 0) {
            table.add(gram);
        }
    }

    /** Returns characters of the text in one number; 0 if one of them is in no phrase. */
    private long gram(int start, int length) {
        long gram = 0;
        for (int i = start; i < start + length; i++) {
            int letter = fold(text.charAt(i));
            if (letter == OTHER) {
                return 0;
            }
            gram = gram << Byte.SIZE | letter;
        }
        return gram;
    }

    private String masked() {
        StringBuilder masked = new StringBuilder(text);
        for (int i = 0; i + LONG_RUN <= text.length(); i++) {
            if (longs.wasSeen(gram(i, LONG_RUN))) {
                mask(masked, i, LONG_RUN);
            }
        }
        return masked.toString();
    }

    private static void mask(StringBuilder text, int start, int length) {
        for (int i = start; i < start + length; i++) {
            text.setCharAt(i, MASK);
        }
    }

    @Override
    public void take(String string) {
        filled = 0;
        for (int i = 0; i < string.length(); i++) {
            takeLetter(fold(string.charAt(i)));
        }
    }

    @Override
    public void take(byte[] bytes, int start, int end) {
        filled = 0;
        for (int i = start; i < end; i++) {
            if (bytes[i] < 0) {
                take(new String(bytes, start, end - start, UTF_8));
                return;
            }
            takeLetter(fold(bytes[i]));
        }
    }

    private void takeLetter(int letter) {
        if (letter == OTHER) {
            filled = 0;
            return;
        }
        if (letter == ' ' && filled > 0 && (window & 0xff) == ' ') {
            return;
        }
        window = window << Byte.SIZE | letter;
        filled++;
        if (filled >= SHORT_RUN && shorts.see(window & 0xffff_ffffL) && filled >= LONG_RUN) {
            longs.see(window);
        }
    }

    /**
     * Set of short runs of characters, each packed into a number other than 0, with a mark on those seen in another text.
     * Confined to one thread.
     */
    private static final class GramTable {

        /** Secret, so that nobody can write a text whose runs all collide. */
        private static final long MULTIPLIER = new SplittableRandom().nextLong() | 1;

        private final long[] grams;
        private final boolean[] seen;
        private final int shift;

        GramTable(int capacity) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, capacity)) + 1;
            grams = new long[1 << bits];
            seen = new boolean[1 << bits];
            shift = Long.SIZE - bits;
        }

        void add(long gram) {
            grams[slot(gram)] = gram;
        }

        /** Marks a run as seen. Returns whether it is in the set. */
        boolean see(long gram) {
            int slot = slot(gram);
            if (grams[slot] != gram) {
                return false;
            }
            seen[slot] = true;
            return true;
        }

        /** Returns whether a run is in the set and was seen. */
        boolean wasSeen(long gram) {
            int slot = slot(gram);
            return grams[slot] == gram && seen[slot];
        }

        private int slot(long gram) {
            int slot = (int) ((gram * MULTIPLIER) >>> shift);
            while (grams[slot] != 0 && grams[slot] != gram) {
                slot = slot + 1 & grams.length - 1;
            }
            return slot;
        }
    }
}
