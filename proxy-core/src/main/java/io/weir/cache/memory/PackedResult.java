package io.weir.cache.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.memory.Labels.Label;
import io.weir.jsonrpc.RawJson;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Call and its result as one run of bytes: length, fingerprint, label, flags, block, lengths, source, the block's hash, parameters,
 * result. Such bytes are no objects, so the garbage collector need not follow or move them. Pure.
 */
final class PackedResult {

    /** Bytes of a result besides its block's hash, its parameters and its value. */
    private static final int FIXED = 41;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int FINGERPRINT = 4;
    private static final int LABEL = 8;
    private static final int FLAGS = 10;
    private static final int HASH_LENGTH = 11;
    private static final int NUMBER = 13;
    private static final int STAMP = 21;
    private static final int PARAMS_LENGTH = 29;
    private static final int VALUE_LENGTH = 33;
    private static final int SOURCE = 37;
    private static final int LASTING = 1;
    private static final int PLACED = 2;
    private static final short NO_HASH = -1;
    /** Characters, of up to three bytes each. */
    private static final int MAX_HASH = 1_000;

    private PackedResult() {}

    static int length(CallKey key, CachedResult result) {
        String hash = result.blockHash();
        return FIXED
                + (hash == null ? 0 : hash.getBytes(UTF_8).length)
                + key.paramsLength()
                + result.value().length();
    }

    /** Writes a result with its key and the number of its label, where {@link #length(CallKey, CachedResult)} bytes are free. */
    static void write(CallKey key, CachedResult result, int label, byte[] bytes, int at) {
        byte[] hash = result.blockHash() == null ? null : result.blockHash().getBytes(UTF_8);
        RawJson params = key.params();
        RawJson value = result.value();
        int hashLength = hash == null ? 0 : hash.length;
        INT.set(bytes, at, FIXED + hashLength + params.length() + value.length());
        INT.set(bytes, at + FINGERPRINT, key.hashCode());
        SHORT.set(bytes, at + LABEL, (short) label);
        bytes[at + FLAGS] = (byte) ((result.lasting() ? LASTING : 0) | (result.placed() ? PLACED : 0));
        SHORT.set(bytes, at + HASH_LENGTH, hash == null ? NO_HASH : (short) hashLength);
        LONG.set(bytes, at + NUMBER, result.blockNumber());
        LONG.set(bytes, at + STAMP, result.blockStamp());
        INT.set(bytes, at + PARAMS_LENGTH, params.length());
        INT.set(bytes, at + VALUE_LENGTH, value.length());
        INT.set(bytes, at + SOURCE, result.source());
        if (hash != null) {
            System.arraycopy(hash, 0, bytes, at + FIXED, hashLength);
        }
        int content = at + FIXED + hashLength;
        System.arraycopy(params.array(), params.offset(), bytes, content, params.length());
        System.arraycopy(value.array(), value.offset(), bytes, content + params.length(), value.length());
    }

    static boolean isPackable(CachedResult result) {
        String hash = result.blockHash();
        return result.layout() == null && (hash == null || hash.length() <= MAX_HASH);
    }

    static int length(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static int fingerprint(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + FINGERPRINT);
    }

    static int label(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at + LABEL);
    }

    static boolean hasParams(RawJson params, byte[] bytes, int at) {
        int length = (int) INT.get(bytes, at + PARAMS_LENGTH);
        int from = at + FIXED + hashLength(bytes, at);
        return length == params.length()
                && Arrays.equals(bytes, from, from + length, params.array(), params.offset(), params.offset() + length);
    }

    /** Returns the result, in arrays of its own. */
    static CachedResult result(Label label, byte[] bytes, int at) {
        int hashLength = hashLength(bytes, at);
        boolean hashed = (short) SHORT.get(bytes, at + HASH_LENGTH) != NO_HASH;
        String hash = hashed ? new String(bytes, at + FIXED, hashLength, UTF_8) : null;
        BlockRef block = new BlockRef((long) LONG.get(bytes, at + NUMBER), hash, (long) LONG.get(bytes, at + STAMP));
        int end = at + length(bytes, at);
        RawJson value = RawJson.of(Arrays.copyOfRange(bytes, end - (int) INT.get(bytes, at + VALUE_LENGTH), end));
        boolean lasting = (bytes[at + FLAGS] & LASTING) != 0;
        boolean placed = (bytes[at + FLAGS] & PLACED) != 0;
        int source = (int) INT.get(bytes, at + SOURCE);
        return new CachedResult(value, label.kind(), label.proven(), block, lasting, source, placed);
    }

    /** Returns its key, in an array of its own. */
    static CallKey key(Label label, byte[] bytes, int at) {
        int from = at + FIXED + hashLength(bytes, at);
        RawJson params = RawJson.of(Arrays.copyOfRange(bytes, from, from + (int) INT.get(bytes, at + PARAMS_LENGTH)));
        return new CallKey(label.network(), label.method(), params);
    }

    /** Notes that its block is canonical and final. */
    static void promote(byte[] bytes, int at) {
        bytes[at + FLAGS] |= LASTING;
    }

    private static int hashLength(byte[] bytes, int at) {
        return Math.max(0, (short) SHORT.get(bytes, at + HASH_LENGTH));
    }
}
