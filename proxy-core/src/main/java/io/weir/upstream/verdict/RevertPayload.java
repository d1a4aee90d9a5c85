package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Search for the bytes of a contract's revert, in the forms that nodes use. Pure and thread-safe.
 *
 * <pre>
 * "0x…"                                   geth and most others
 * "Reverted 0x…"                          parity, nethermind
 * {"data": "0x…", "message": …}           hardhat
 * {"result": "0x…", "reason": …}          ganache 7
 * {"0x&lt;transaction&gt;": {"return": "0x…"}}  ganache 6
 * </pre>
 */
final class RevertPayload {

    private static final byte[] REVERTED = "Reverted ".getBytes(US_ASCII);
    private static final List<String> MEMBERS = List.of("data", "result", "return");
    private static final NameTable NAMES = NameTable.of(MEMBERS);

    private RevertPayload() {}

    /** Returns the payload in an error's data, as a JSON string in lower case; null if there is none. */
    static @Nullable RawJson in(@Nullable RawJson data) {
        if (data == null) {
            return null;
        }
        if (data.first() == '"') {
            return ofString(data);
        }
        if (data.first() != '{') {
            return null;
        }
        try {
            return ofObject(data, true);
        } catch (JsonSyntaxException e) {
            // The data was sliced by its delimiters only. If it is not JSON inside, it holds no payload.
            return null;
        }
    }

    /** Returns whether a JSON value is a string of whole bytes in hex. */
    static boolean isHex(RawJson value) {
        return value.first() == '"' && hexEnd(value.array(), value.offset() + 1) == end(value);
    }

    private static int end(RawJson string) {
        return string.offset() + string.length() - 1;
    }

    private static @Nullable RawJson ofString(RawJson string) {
        if (isHex(string)) {
            return lowerCase(string);
        }
        int begin = string.offset() + 1 + REVERTED.length;
        boolean reverted = begin < end(string) && startsWith(string, REVERTED);
        if (reverted && hexEnd(string.array(), begin) == end(string)) {
            return RawJson.of('"'
                    + new String(string.array(), begin, end(string) - begin, US_ASCII).toLowerCase(Locale.ROOT)
                    + '"');
        }
        return null;
    }

    private static boolean startsWith(RawJson string, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (string.array()[string.offset() + 1 + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the end of the hex that begins at a position; -1 if none begins there or half a byte is left over. */
    private static int hexEnd(byte[] text, int start) {
        if (start + 1 >= text.length || text[start] != '0' || text[start + 1] != 'x') {
            return -1;
        }
        int at = start + 2;
        while (at < text.length && Character.digit(text[at], 16) >= 0) {
            at++;
        }
        return (at - start) % 2 == 0 ? at : -1;
    }

    private static RawJson lowerCase(RawJson hex) {
        for (int i = hex.offset(); i < hex.offset() + hex.length(); i++) {
            if (hex.array()[i] >= 'A' && hex.array()[i] <= 'F') {
                return RawJson.of(hex.toString().toLowerCase(Locale.ROOT));
            }
        }
        return hex;
    }

    private static @Nullable RawJson ofObject(RawJson object, boolean outer) throws JsonSyntaxException {
        JsonScanner scanner = JsonScanner.delimiters(object.array(), object.offset(), object.length());
        scanner.peek();
        scanner.open();
        RawJson found = null;
        boolean more = scanner.firstEntry();
        while (more && found == null) {
            String name = scanner.member(NAMES);
            int start = scanner.position();
            scanner.skip();
            RawJson value = RawJson.slice(object.array(), start, scanner.position() - start);
            if (value.first() == '"' && MEMBERS.contains(name)) {
                found = ofString(value);
            } else if (outer && value.first() == '{' && name.startsWith("0x")) {
                found = ofObject(value, false);
            }
            more = scanner.nextEntry();
        }
        return found;
    }
}
