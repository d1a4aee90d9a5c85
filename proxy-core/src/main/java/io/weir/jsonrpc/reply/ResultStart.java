package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import io.weir.jsonrpc.text.NameTable;
import io.weir.jsonrpc.text.PieceScanner;
import java.util.List;

/** Search for the result in the beginning of a node's answer. Pure and thread-safe. */
public final class ResultStart {

    /** The result has not begun yet. */
    public static final int LATER = -1;

    /** The answer has no result that could go on before its end is known. */
    public static final int NONE = -2;

    /** Bytes of the answer in which its result must begin. Nodes' envelopes are much shorter. */
    public static final int MAX_BYTES = 1024;

    private static final NameTable MEMBERS = NameTable.of(List.of("result", "error"));

    private ResultStart() {}

    /**
     * Returns the index of the first byte of the result; {@link #LATER} or {@link #NONE} if there is none. A result counts if it is a
     * string, an array or an object, and no error comes before it.
     *
     * @param body an array that begins with the answer
     * @param length the length of its part that is there
     */
    public static int find(byte[] body, int length) {
        int seen = Math.min(length, MAX_BYTES);
        JsonScanner scanner = JsonScanner.delimiters(body, 0, seen);
        try {
            int at = find(body, scanner);
            return at == LATER && seen == MAX_BYTES ? NONE : at;
        } catch (JsonSyntaxException e) {
            return e.kind() == Kind.TRUNCATED && seen < MAX_BYTES ? LATER : NONE;
        }
    }

    private static int find(byte[] body, JsonScanner scanner) throws JsonSyntaxException {
        if (scanner.peek() != '{') {
            return scanner.peek() == JsonScanner.END ? LATER : NONE;
        }
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.member(MEMBERS);
            if (scanner.peek() == JsonScanner.END) {
                return LATER;
            }
            int value = scanner.position();
            if (name.equals("result")) {
                return PieceScanner.begins(body[value]) ? value : NONE;
            }
            if (name.equals("error") && body[value] != 'n') {
                return NONE;
            }
            scanner.skip();
            more = scanner.nextEntry();
        }
        return NONE;
    }
}
