package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.Arrays;
import java.util.List;
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

    private static final byte[] REVERTED = "\"Reverted ".getBytes(US_ASCII);
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
        return hex(value) != null;
    }

    private static @Nullable RawJson hex(RawJson value) {
        HexText text = HexText.read(value);
        return text != null && text.digits() % 2 == 0 ? text.bytes() : null;
    }

    private static @Nullable RawJson ofString(RawJson string) {
        RawJson hex = hex(string);
        boolean reverted = hex == null
                && string.length() > REVERTED.length
                && Arrays.equals(
                        string.array(),
                        string.offset(),
                        string.offset() + REVERTED.length,
                        REVERTED,
                        0,
                        REVERTED.length);
        return reverted ? hex(RawJson.of('"' + string.toString().substring(REVERTED.length))) : hex;
    }

    private static @Nullable RawJson ofObject(RawJson object, boolean outer) throws JsonSyntaxException {
        JsonScanner scanner = JsonScanner.delimiters(object.array(), object.offset(), object.length());
        RawJson found = null;
        boolean more = scanner.enter();
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
