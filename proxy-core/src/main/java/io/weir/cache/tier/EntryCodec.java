package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Codec of entries: version, flags, CRC-32C of the rest, block, generation, lengths, name space, method, parameters, and the result. The
 * result is compressed with zstd if that is smaller. Thread-safe.
 *
 * <p>Bytes from a tier are not trusted. They must name exactly the requested call, and must not decompress to more than an
 * entry's maximum size.
 */
public final class EntryCodec {

    /** Version of the format and of valid results. It is part of every name, so different versions never share entries. */
    public static final String VERSION = "2";

    private static final byte FORMAT = 2;
    private static final byte PACKED = 1;
    private static final byte HASHED = 2;
    private static final int BODY = 6;
    private static final int FIXED = BODY + 2 * 8 + 4 * 4;
    private static final int HASH_LENGTH = 66;
    private static final int WARM_UP = 10_000;

    private final int packFrom;
    private final int maxBytes;

    /**
     * Creates a codec.
     *
     * @param packFrom results of at least this number of bytes are compressed
     * @param maxBytes maximum size of an entry, uncompressed
     */
    public EntryCodec(int packFrom, int maxBytes) {
        this.packFrom = packFrom;
        this.maxBytes = maxBytes;
    }

    /** Loads the code that the first entry would otherwise wait for. */
    public void warmUp() {
        TierEntry entry = new TierEntry(
                "", RawJson.EMPTY_ARRAY, RawJson.of("[" + "0,".repeat(Math.min(packFrom, WARM_UP)) + "0]"), 0, null, 0);
        byte[] bytes = encode("", entry);
        try {
            if (bytes != null) {
                decode(bytes, "", "", RawJson.EMPTY_ARRAY);
            }
        } catch (BadEntryException e) {
            throw new IllegalStateException("what was encoded cannot be read", e);
        }
    }

    /** Returns the entry's bytes; null if it is too large. */
    public byte @Nullable [] encode(String space, TierEntry entry) {
        byte[] key = (space + '\0' + entry.method()).getBytes(UTF_8);
        long hashLength = entry.hash() == null ? 0 : HASH_LENGTH;
        long most = FIXED
                + hashLength
                + key.length
                + entry.params().length()
                + entry.value().length();
        if (most > maxBytes) {
            return null;
        }
        byte[] value = entry.value().toBytes();
        byte flags = entry.hash() == null ? 0 : HASHED;
        if (value.length >= packFrom) {
            byte[] packed = Packing.pack(value);
            if (packed != null && packed.length < value.length) {
                flags |= PACKED;
                value = packed;
            }
        }
        int rest = key.length + entry.params().length() + value.length;
        ByteBuffer buffer = ByteBuffer.allocate(FIXED + (int) hashLength + rest);
        buffer.put(FORMAT).put(flags).putInt(0).putLong(entry.number()).putLong(entry.generation());
        buffer.putInt(key.length).putInt(entry.params().length());
        buffer.putInt(entry.value().length()).putInt(value.length);
        if (entry.hash() != null) {
            buffer.put(entry.hash().getBytes(US_ASCII));
        }
        buffer.put(key)
                .put(
                        entry.params().array(),
                        entry.params().offset(),
                        entry.params().length());
        buffer.put(value);
        buffer.putInt(2, checksum(buffer.array()));
        return buffer.array();
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, 2);
        crc.update(bytes, BODY, bytes.length - BODY);
        return (int) crc.getValue();
    }

    /**
     * Reads an entry.
     *
     * @throws BadEntryException if the bytes are not an entry, or are that of another call or chain
     */
    public TierEntry decode(byte[] bytes, String space, String method, RawJson params) throws BadEntryException {
        if (bytes.length < FIXED || bytes.length > maxBytes || bytes[0] != FORMAT) {
            throw new BadEntryException("not an entry");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (buffer.getInt(2) != checksum(bytes)) {
            throw new BadEntryException("damaged");
        }
        try {
            return decode(buffer, space, method, params);
        } catch (BufferUnderflowException e) {
            throw new BadEntryException("wrong lengths");
        }
    }

    private TierEntry decode(ByteBuffer buffer, String space, String method, RawJson params) throws BadEntryException {
        byte flags = buffer.get(1);
        long number = buffer.position(BODY).getLong();
        long generation = buffer.getLong();
        int keyLength = buffer.getInt();
        int paramsLength = buffer.getInt();
        int valueLength = buffer.getInt();
        int storedLength = buffer.getInt();
        String hash = (flags & HASHED) == 0 ? null : new String(take(buffer, HASH_LENGTH), US_ASCII);
        byte[] key = take(buffer, keyLength);
        byte[] hisParams = take(buffer, paramsLength);
        byte[] stored = take(buffer, storedLength);
        boolean whole = !buffer.hasRemaining() && valueLength >= 0 && valueLength <= maxBytes && number >= 0;
        if (!whole || (flags & ~(PACKED | HASHED)) != 0) {
            throw new BadEntryException("wrong lengths");
        }
        if (!new String(key, UTF_8).equals(space + '\0' + method)
                || !RawJson.of(hisParams).equals(params)) {
            throw new BadEntryException("another call's");
        }
        byte[] value = (flags & PACKED) == 0 ? stored : Packing.unpack(stored, valueLength);
        if (value.length != valueLength) {
            throw new BadEntryException("wrong lengths");
        }
        return new TierEntry(method, params, json(value), number, hash, generation);
    }

    private static byte[] take(ByteBuffer buffer, int length) throws BadEntryException {
        if (length < 0 || length > buffer.remaining()) {
            throw new BadEntryException("wrong lengths");
        }
        byte[] taken = new byte[length];
        buffer.get(taken);
        return taken;
    }

    /** Requires one complete JSON value, as from a node, so that it cannot end the answer around it. */
    private static RawJson json(byte[] value) throws BadEntryException {
        try {
            JsonScanner scanner = JsonScanner.delimiters(value, 0, value.length);
            scanner.skip();
            scanner.end();
            return RawJson.of(value);
        } catch (JsonSyntaxException e) {
            throw new BadEntryException("not one JSON value");
        }
    }

    /**
     * Compression with zstd, whose native library is extracted to the folder of temporary files. If that fails, nothing is
     * compressed. Thread-safe.
     */
    private static final class Packing {

        /** A fast level. */
        private static final int LEVEL = 3;

        private Packing() {}

        /** Returns the compressed bytes; null if that is impossible. */
        static byte @Nullable [] pack(byte[] bytes) {
            try {
                return Zstd.compress(bytes, LEVEL);
            } catch (LinkageError e) {
                return null;
            }
        }

        /** Decompresses bytes. The result must have exactly this length, so no more memory is allocated. */
        static byte[] unpack(byte[] packed, int length) throws BadEntryException {
            byte[] bytes = new byte[length];
            try {
                long written = Zstd.decompressByteArray(bytes, 0, length, packed, 0, packed.length);
                if (Zstd.isError(written) || written != length) {
                    throw new BadEntryException("wrong lengths");
                }
                return bytes;
            } catch (ZstdException e) {
                throw new BadEntryException("not packed");
            } catch (LinkageError e) {
                throw new BadEntryException("packed, and zstd cannot be loaded");
            }
        }
    }

    /** Signals that bytes from a tier are not the expected entry. */
    public static final class BadEntryException extends Exception {

        BadEntryException(String why) {
            super(why, null, false, false);
        }
    }
}
