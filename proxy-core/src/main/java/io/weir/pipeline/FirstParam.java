package io.weir.pipeline;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * First parameter of a call, and its position among the parameters. Immutable.
 *
 * @param params all of them
 * @param value the first
 */
public record FirstParam(RawJson params, RawJson value) {

    private static final int MAX_SHOWN = 80;

    /** Returns the first parameter; null if there is none, or if parameters have names. */
    public static @Nullable FirstParam of(@Nullable RawJson params) {
        if (params == null || params.first() != '[') {
            return null;
        }
        JsonScanner scanner = JsonScanner.delimiters(params.array(), params.offset(), params.length());
        try {
            scanner.open();
            if (!scanner.firstEntry()) {
                return null;
            }
            int start = scanner.position();
            scanner.skip();
            return new FirstParam(params, RawJson.slice(params.array(), start, scanner.position() - start));
        } catch (JsonSyntaxException e) {
            // Parameters of clients have been read before. A plugin may pass anything.
            return null;
        }
    }

    /** Returns its value as a string, or null if it is none. */
    public @Nullable String string() {
        return value.first() == '"'
                ? JsonString.unescape(value.array(), value.offset() + 1, value.offset() + value.length() - 1)
                : null;
    }

    /** Returns the failure of a call whose first parameter is missing or wrong. Shows only the beginning of the parameter. */
    public static RpcReply.Failure refusal(@Nullable FirstParam param, String expected) {
        String found = param == null ? "missing" : excerpt(param.value.toString());
        return RpcReply.failure(
                ErrorCode.INVALID_PARAMS.error("params[0]: " + found + " (expected: " + expected + ")"));
    }

    /** Returns the beginning of a value, for an error message. */
    public static String excerpt(RawJson value) {
        return excerpt(value.toString());
    }

    private static String excerpt(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN - 3) + "...";
    }
}
