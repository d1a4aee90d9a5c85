package io.weir.method.params.kind;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * Signals which parameter is wrong, its value and the expected form. Immutable. It has no stack trace, because it becomes an
 * answer.
 */
public final class InvalidParamsException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Characters of a value that are shown. A hash in quotes is shown completely. */
    private static final int MAX_SHOWN = 68;

    private static final String CUT = "...";

    private final String path;
    private final String found;
    private final String expected;

    private final @Nullable ParamLimit limit;

    private InvalidParamsException(String path, String found, String expected, @Nullable ParamLimit limit) {
        super(null, null, false, false);
        this.path = path;
        this.found = found;
        this.expected = expected;
        this.limit = limit;
    }

    /** Returns the exception for a wrong value, of which a safe part is shown. */
    public static InvalidParamsException wrong(RawJson value, String expected) {
        return of(shown(value), expected);
    }

    /** Returns the exception for a finding in the proxy's own words, with the expected form. */
    public static InvalidParamsException of(String found, String expected) {
        return new InvalidParamsException("", found, expected, null);
    }

    /** Returns the exception for more values than a limit allows. */
    public static InvalidParamsException over(ParamLimit limit, int found) {
        String expected = "at most " + limit.max();
        return new InvalidParamsException("", found + " " + limit.counted(), expected, limit);
    }

    /** Returns the limit that the parameters exceed, or null if they are wrong in another way. */
    public @Nullable ParamLimit limit() {
        return limit;
    }

    /** Returns the same problem for an absent value. */
    public InvalidParamsException asMissing() {
        return new InvalidParamsException(path, "missing", expected, limit);
    }

    /** Returns the same problem for the member with this name. */
    public InvalidParamsException inMember(String name) {
        return within("." + name);
    }

    /** Returns the same problem for the element at this index. */
    public InvalidParamsException inElement(int index) {
        return within("[" + index + "]");
    }

    private InvalidParamsException within(String step) {
        return new InvalidParamsException(step + path, found, expected, limit);
    }

    /** Returns a message such as {@code params[0].gas: "x" (expected: quantity in hex)}. */
    @Override
    public String getMessage() {
        return "params" + path + ": " + found + " (expected: " + expected + ")";
    }

    /** Returns as much of a JSON value as a message may show: short, on one line, ASCII. */
    static String shown(RawJson value) {
        // Every character has at least one byte, so the rest would be truncated in any case.
        int bytes = Math.min(value.length(), MAX_SHOWN * 4);
        String shown = shown(new String(value.array(), value.offset(), bytes, UTF_8));
        return shown.endsWith(CUT) && value.first() == '"' ? shown + '"' : shown;
    }

    /** Returns the name of a member as it was written with its quotes, or its beginning. */
    static String shownName(RawJson quoted) {
        return shown(JsonString.unescape(quoted.array(), quoted.offset() + 1, quoted.offset() + quoted.length() - 1));
    }

    /** Returns a text, or its beginning. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder(MAX_SHOWN);
        int fits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            append(c, shown);
            if (shown.length() > MAX_SHOWN) {
                return shown.substring(0, fits) + CUT;
            }
            if (shown.length() <= MAX_SHOWN - CUT.length() - 1) {
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
