package io.weir.cache.tier.entry;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import org.jspecify.annotations.Nullable;

/**
 * Compression with zstd, whose native library is extracted to the folder of temporary files. If that fails, nothing is
 * compressed. Thread-safe.
 */
final class Packing {

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
