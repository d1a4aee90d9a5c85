package io.weir.method;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import org.jspecify.annotations.Nullable;

/**
 * The form of a call: its method, and its parameters with types in place of values. Block tags and names of members stay as they
 * are. An instance reads one call and is confined to one thread; the static methods are pure and thread-safe.
 */
public final class CallShape {

    /** The length of the longest form; longer ones are rare and count as none. */
    static final int MAX_CHARS = 128;

    private static final int MAX_TAG_BYTES = 9;
    private static final int MAX_QUANTITY_BYTES = 18;
    private static final int ADDRESS_BYTES = 42;
    private static final int HASH_BYTES = 66;

    private final StringBuilder text;
    private boolean values;

    private CallShape(RpcCall call) {
        text = new StringBuilder(call.method());
        RawJson params = call.params();
        if (params != null) {
            read(params);
        }
    }

    /** Returns the form of a call whose parameters are well-formed, or null if it is too long. */
    public static @Nullable String of(RpcCall call) {
        StringBuilder text = new CallShape(call).text;
        return text.length() <= MAX_CHARS ? text.toString() : null;
    }

    /** Returns whether calls of the same form can differ in a value. */
    public static boolean hasValues(RpcCall call) {
        return new CallShape(call).values;
    }

    private void read(RawJson params) {
        byte[] json = params.array();
        int end = params.offset() + params.length();
        int at = params.offset();
        while (at < end && text.length() <= MAX_CHARS) {
            byte first = json[at];
            if (first == '"') {
                int close = closingQuote(json, at + 1, end);
                addString(json, at + 1, close, isName(json, close + 1, end));
                at = close + 1;
            } else {
                boolean number = first == '-' || Character.isDigit(first);
                values |= number;
                if (first > ' ') {
                    text.append(number ? '1' : (char) first);
                }
                at = endOfToken(json, at, end);
            }
        }
    }

    private static int closingQuote(byte[] json, int from, int end) {
        int at = from;
        while (at < end && json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, end);
    }

    private static boolean isName(byte[] json, int from, int end) {
        int at = from;
        while (at < end && json[at] <= ' ') {
            at++;
        }
        return at < end && json[at] == ':';
    }

    /** Returns the position after one bracket, comma, colon or white space, or after one whole literal or number. */
    private static int endOfToken(byte[] json, int from, int end) {
        int at = from;
        while (at < end
                && (Character.isLetterOrDigit(json[at]) || json[at] == '-' || json[at] == '.' || json[at] == '+')) {
            at++;
        }
        return Math.max(at, from + 1);
    }

    private void addString(byte[] json, int start, int end, boolean isName) {
        int length = end - start;
        if (isName || (length <= MAX_TAG_BYTES && !(length > 1 && json[start + 1] == 'x'))) {
            text.append(new String(json, start, Math.min(length, MAX_CHARS), UTF_8));
        } else {
            values = true;
            text.append(type(json, start, length));
        }
    }

    private static String type(byte[] json, int start, int length) {
        if (json[start] != '0' || json[start + 1] != 'x') {
            return "text";
        }
        return switch (length) {
            case ADDRESS_BYTES -> "address";
            case HASH_BYTES -> "hash";
            default -> length <= MAX_QUANTITY_BYTES ? "quantity" : "bytes";
        };
    }
}
