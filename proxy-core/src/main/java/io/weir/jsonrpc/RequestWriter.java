package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writer of the calls to nodes. Thread-safe. */
public final class RequestWriter {

    private static final byte[] CALL_HEAD = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(US_ASCII);
    private static final byte[] CALL_METHOD = ",\"method\":".getBytes(US_ASCII);
    private static final byte[] NOTIFICATION_METHOD = "{\"jsonrpc\":\"2.0\",\"method\":".getBytes(US_ASCII);
    private static final byte[] PARAMS = ",\"params\":".getBytes(US_ASCII);
    private static final byte[] END = {'}'};
    private static final byte[] BATCH_HEAD = {'['};
    private static final byte[] COMMA = {','};
    private static final byte[] BATCH_END = {']'};

    private static final int MAX_ASCII = 0x7f;

    /** Returns a call in an array of its own. Absent parameters become an empty array, which every node accepts. */
    public byte[] write(long id, String method, @Nullable RawJson params) {
        byte[] number = Long.toString(id).getBytes(US_ASCII);
        byte[] name = quoted(method);
        RawJson given = params == null ? RawJson.EMPTY_ARRAY : params;
        byte[] call = new byte
                [CALL_HEAD.length
                        + number.length
                        + CALL_METHOD.length
                        + name.length
                        + PARAMS.length
                        + given.length()
                        + END.length];
        int end = put(CALL_HEAD, call, 0);
        end = put(number, call, end);
        end = put(CALL_METHOD, call, end);
        end = put(name, call, end);
        end = put(PARAMS, call, end);
        System.arraycopy(given.array(), given.offset(), call, end, given.length());
        put(END, call, end + given.length());
        return call;
    }

    /** Nearly every name consists of letters, digits and underscores, which need no escape. */
    private static byte[] quoted(String method) {
        byte[] name = new byte[method.length() + 2];
        for (int i = 0; i < method.length(); i++) {
            char c = method.charAt(i);
            if (c >= MAX_ASCII || !(Character.isLetterOrDigit(c) || c == '_')) {
                return JsonString.quote(method);
            }
            name[i + 1] = (byte) c;
        }
        name[0] = '"';
        name[name.length - 1] = '"';
        return name;
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

    /** Returns a notification in an array of its own. */
    public byte[] writeNotification(String method, @Nullable RawJson params) {
        RawJson given = params == null ? RawJson.EMPTY_ARRAY : params;
        return join(piece(NOTIFICATION_METHOD), piece(JsonString.quote(method)), piece(PARAMS), given, piece(END));
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
