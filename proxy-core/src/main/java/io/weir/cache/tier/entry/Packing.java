package io.weir.cache.tier.entry;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import org.jspecify.annotations.Nullable;

/**
 * Packing with zstd, whose native library is unpacked to the folder of temporary files: where that cannot be, nothing is packed.
 * Thread-safe.
 */
final class Packing {

    /** Hardly any work. */
    private static final int LEVEL = 3;

    private Packing() {}

    /** The bytes packed; null where that is impossible. */
    static byte @Nullable [] pack(byte[] bytes) {
        try {
            return Zstd.compress(bytes, LEVEL);
        } catch (LinkageError e) {
            return null;
        }
    }

    /** What was packed, which must have exactly this length: no more memory than that is taken. */
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
