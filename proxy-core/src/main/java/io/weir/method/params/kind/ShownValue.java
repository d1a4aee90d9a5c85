package io.weir.method.params.kind;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonString;

/** Part of a caller's value that a message may show: short, on one line, ASCII. Pure. */
final class ShownValue {

    /** Characters. A hash in quotes is shown completely. */
    private static final int MAX = 68;

    private static final String CUT = "...";

    private ShownValue() {}

    /** Returns a JSON value as it was written, or its beginning. */
    static String of(RawJson value) {
        // Every character has at least one byte, so the rest would be truncated in any case.
        int bytes = Math.min(value.length(), MAX * 4);
        String shown = of(new String(value.array(), value.offset(), bytes, UTF_8));
        return shown.endsWith(CUT) && value.first() == '"' ? shown + '"' : shown;
    }

    /** Returns the name of a member as it was written with its quotes, or its beginning. */
    static String ofName(RawJson quoted) {
        return of(JsonString.unescape(quoted.array(), quoted.offset() + 1, quoted.offset() + quoted.length() - 1));
    }

    /** Returns a text, or its beginning. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder(MAX);
        int fits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            append(c, shown);
            if (shown.length() > MAX) {
                return shown.substring(0, fits) + CUT;
            }
            if (shown.length() <= MAX - CUT.length() - 1) {
                fits = shown.length();
            }
        }
        return shown.toString();
    }

    private static void append(char c, StringBuilder shown) {
        if (c == '\n' || c == '\r' || c == '\t') {
            shown.append(' ');
        } else if (c < ' ' || c > '~') {
            shown.append(String.format("\\u%04x", (int) c));
        } else {
            shown.append(c);
        }
    }
}
