package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.text.JsonString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error as the table looks at it. Immutable.
 *
 * @param text the beginning of the message and of data in words, in small letters: nodes write megabytes, and what an error
 *     is stands at the front
 * @param payload the hex payload of a revert in the error's data, or null where there is none
 * @param status the status of HTTP that it came with; 200 where it came another way
 */
record NodeError(
        String method, int code, String text, @Nullable RawJson payload, int status) {

    private static final int MAX_CHARS = 1024;

    /** What a node answered to a call of this method. */
    static NodeError of(String method, RpcError error, int status) {
        RawJson data = error.data();
        String words = data == null ? "" : words(data);
        String text = words.isEmpty() ? front(error.message()) : front(error.message()) + " | " + words;
        return new NodeError(method, error.code(), text.toLowerCase(Locale.ROOT), RevertPayload.in(data), status);
    }

    private static String front(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }

    /** Data that is a string and no hex: some nodes say there what happened. */
    private static String words(RawJson data) {
        if (data.first() != '"' || RevertPayload.isHex(data)) {
            return "";
        }
        // An escape that is cut in two would not be well-formed: then only what stands before any escape counts.
        int start = data.offset() + 1;
        int end = Math.min(data.offset() + data.length() - 1, start + MAX_CHARS);
        int plain = start;
        while (plain < end && data.array()[plain] != '\\') {
            plain++;
        }
        return JsonString.unescape(data.array(), start, plain);
    }
}
