package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonString;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the calls to nodes. It writes into one array, which it uses again: a text counts until the next one is written. Confined to one
 * thread.
 */
public final class RequestWriter {

    private static final byte[] CALL_HEAD = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(US_ASCII);
    private static final byte[] CALL_METHOD = ",\"method\":".getBytes(US_ASCII);
    private static final byte[] PARAMS = ",\"params\":".getBytes(US_ASCII);

    private static final int MAX_ASCII = 0x7f;
    private static final int FIRST_BYTES = 512;

    /** Bytes of the array that are kept after a larger text. */
    private static final int MAX_KEPT = 1 << 16;

    private byte[] array = new byte[FIRST_BYTES];
    private int length;

    /**
     * Writes a call. Absent parameters become an empty array, which every node accepts.
     *
     * @param id not negative
     */
    public RawJson write(long id, String method, @Nullable RawJson params) {
        release();
        call(id, method, params);
        return text();
    }

    /**
     * Writes a batch.
     *
     * @param firstId the id of the first call; the others count up from it
     */
    public RawJson writeBatch(long firstId, List<RpcCall> calls) {
        release();
        put('[');
        for (int i = 0; i < calls.size(); i++) {
            if (i > 0) {
                put(',');
            }
            RpcCall call = calls.get(i);
            call(firstId + i, call.method(), call.params());
        }
        put(']');
        return text();
    }

    /** Ends the use of the last text. A large array is given up. */
    public void release() {
        length = 0;
        if (array.length > MAX_KEPT) {
            array = new byte[FIRST_BYTES];
        }
    }

    private RawJson text() {
        return RawJson.slice(array, 0, length);
    }

    private void call(long id, String method, @Nullable RawJson params) {
        RawJson given = params == null ? RawJson.EMPTY_ARRAY : params;
        put(CALL_HEAD);
        putNumber(id);
        put(CALL_METHOD);
        // Nearly every name needs no escape.
        if (isPlain(method)) {
            putPlain(method);
        } else {
            put(JsonString.quote(method));
        }
        put(PARAMS);
        put(given.array(), given.offset(), given.length());
        put('}');
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

    @SuppressWarnings("deprecation") // The characters are ASCII; any other copy makes an array.
    private void putPlain(String name) {
        put('"');
        ensure(name.length());
        name.getBytes(0, name.length(), array, length);
        length += name.length();
        put('"');
    }

    private void putNumber(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        ensure(digits);
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            array[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void put(char c) {
        ensure(1);
        array[length++] = (byte) c;
    }

    private void put(byte[] bytes) {
        put(bytes, 0, bytes.length);
    }

    private void put(byte[] from, int offset, int count) {
        ensure(count);
        System.arraycopy(from, offset, array, length, count);
        length += count;
    }

    private void ensure(int more) {
        if (array.length - length < more) {
            array = Arrays.copyOf(array, Math.max(2 * array.length, length + more));
        }
    }
}
