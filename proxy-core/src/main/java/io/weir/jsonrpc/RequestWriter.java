package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writer of the calls to nodes. Thread-safe. */
public final class RequestWriter {

    private static final byte[] CALL_HEAD = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(US_ASCII);
    private static final byte[] CALL_METHOD = ",\"method\":".getBytes(US_ASCII);
    private static final byte[] PARAMS = ",\"params\":".getBytes(US_ASCII);
    private static final byte[] END = {'}'};
    private static final byte[] BATCH_HEAD = {'['};
    private static final byte[] COMMA = {','};
    private static final byte[] BATCH_END = {']'};

    private static final int MAX_ASCII = 0x7f;

    /**
     * Returns a call in an array of its own. Absent parameters become an empty array, which every node accepts.
     *
     * @param id not negative
     */
    public byte[] write(long id, String method, @Nullable RawJson params) {
        RawJson given = params == null ? RawJson.EMPTY_ARRAY : params;
        // Nearly every name needs no escape.
        byte[] escaped = isPlain(method) ? null : JsonString.quote(method);
        int nameLength = escaped == null ? method.length() + 2 : escaped.length;
        int digits = digits(id);
        byte[] call = new byte
                [CALL_HEAD.length
                        + digits
                        + CALL_METHOD.length
                        + nameLength
                        + PARAMS.length
                        + given.length()
                        + END.length];
        int end = putNumber(id, digits, call, put(CALL_HEAD, call, 0));
        end = put(CALL_METHOD, call, end);
        end = escaped == null ? putPlain(method, call, end) : put(escaped, call, end);
        end = put(PARAMS, call, end);
        System.arraycopy(given.array(), given.offset(), call, end, given.length());
        put(END, call, end + given.length());
        return call;
    }

    /** Returns whether a name consists of letters, digits and underscores, within ASCII. */
    private static boolean isPlain(String method) {
        for (int i = 0; i < method.length(); i++) {
            char c = method.charAt(i);
            if (c >= MAX_ASCII || !(Character.isLetterOrDigit(c) || c == '_')) {
                return false;
            }
        }
        return true;
    }

    private static int putPlain(String name, byte[] text, int at) {
        int end = at;
        text[end++] = '"';
        for (int i = 0; i < name.length(); i++) {
            text[end++] = (byte) name.charAt(i);
        }
        text[end++] = '"';
        return end;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private static int putNumber(long number, int digits, byte[] text, int at) {
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }

    private static int put(byte[] piece, byte[] text, int at) {
        System.arraycopy(piece, 0, text, at, piece.length);
        return at + piece.length;
    }

    /**
     * Returns a batch in an array of its own.
     *
     * @param firstId the id of the first call; the others count up from it
     */
    public byte[] writeBatch(long firstId, List<RpcCall> calls) {
        RawJson[] pieces = new RawJson[2 * calls.size() + 1];
        for (int i = 0; i < calls.size(); i++) {
            RpcCall call = calls.get(i);
            pieces[2 * i] = i == 0 ? piece(BATCH_HEAD) : piece(COMMA);
            pieces[2 * i + 1] = piece(write(firstId + i, call.method(), call.params()));
        }
        pieces[pieces.length - 1] = piece(BATCH_END);
        return join(pieces);
    }

    private static RawJson piece(byte[] bytes) {
        return RawJson.of(bytes);
    }

    private static byte[] join(RawJson... pieces) {
        int length = 0;
        for (RawJson piece : pieces) {
            length += piece.length();
        }
        byte[] joined = new byte[length];
        int position = 0;
        for (RawJson piece : pieces) {
            System.arraycopy(piece.array(), piece.offset(), joined, position, piece.length());
            position += piece.length();
        }
        return joined;
    }
}
