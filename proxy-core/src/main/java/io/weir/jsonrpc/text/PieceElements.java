package io.weir.jsonrpc.text;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Splitter of one JSON array that arrives in pieces into its elements. White space is left out, and of strings that are too long for a
 * hash their content, so that its memory is constant. What is no JSON is for {@link PieceScanner}. Confined to one thread.
 */
public final class PieceElements {

    /** Bytes of a string that is kept. A hash of which each digit is escaped has fewer. */
    private static final int MAX_STRING = 512;

    /** Bytes of an element without its long strings. */
    private static final int MAX_ELEMENT = 64 << 10;

    private final Consumer<byte[]> taker;
    private byte[] kept = new byte[1 << 10];
    private int length;
    private int depth;
    private boolean inString;
    private boolean escaped;
    private int stringStart;
    private boolean tooLong;

    /** @param taker gets each element; of one that is larger than 64 KiB its first byte alone */
    public PieceElements(Consumer<byte[]> taker) {
        this.taker = taker;
    }

    /** Passes the next piece. */
    public void pass(byte[] text, int from, int to) {
        int at = from;
        while (at < to) {
            at = inString ? string(text, at, to) : outside(text, at, to);
        }
    }

    private int outside(byte[] text, int from, int to) {
        // Bytes from here on are still to be kept.
        int run = from;
        for (int at = from; at < to; at++) {
            byte b = text[at];
            if (b == '"') {
                int quote = TokenScanner.usualEnd(text, at + 1, to - Long.BYTES);
                if (quote < to && text[quote] == '"' && quote - at <= MAX_STRING) {
                    at = quote;
                    continue;
                }
                keep(text, run, at + 1);
                inString = true;
                stringStart = length;
                tooLong = false;
                return at + 1;
            }
            if (b == '{' || b == '[') {
                if (depth++ == 0) {
                    run = at + 1;
                }
            } else if (((b == '}' || b == ']') && --depth == 0) || (b == ',' && depth == 1)) {
                keep(text, run, at);
                end();
                run = at + 1;
            } else if (TokenScanner.isSpace(b)) {
                keep(text, run, at);
                run = at + 1;
            }
        }
        keep(text, run, to);
        return to;
    }

    private int string(byte[] text, int from, int to) {
        int stop = escaped ? from : TokenScanner.plainEnd(text, from, to);
        int end = Math.min(to, stop + 1);
        boolean closes = stop < to && !escaped && text[stop] == '"';
        escaped = stop < to && !escaped && text[stop] == '\\';
        tooLong |= length - stringStart + end - from > MAX_STRING;
        if (!tooLong) {
            keep(text, from, end);
        } else {
            length = Math.min(length, stringStart);
            if (closes) {
                keep(text, stop, end);
            }
        }
        inString = !closes;
        return end;
    }

    private void keep(byte[] text, int from, int to) {
        int count = to - from;
        if (length + count > MAX_ELEMENT) {
            length = MAX_ELEMENT + 1;
            return;
        }
        if (length + count > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(2 * kept.length, length + count));
        }
        System.arraycopy(text, from, kept, length, count);
        length += count;
    }

    private void end() {
        if (length > 0) {
            taker.accept(Arrays.copyOf(kept, length > MAX_ELEMENT ? 1 : length));
        }
        length = 0;
    }
}
