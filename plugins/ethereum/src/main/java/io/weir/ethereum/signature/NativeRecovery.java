package io.weir.ethereum.signature;

import fr.acinq.secp256k1.Secp256k1Exception;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Recovery of public keys by libsecp256k1, a quarter of the time that Java code takes. It needs the library's classes and a native library
 * for this machine, which is unpacked to the folder of {@code java.io.tmpdir}; where either is missing there is none. Thread-safe.
 */
final class NativeRecovery {

    private final fr.acinq.secp256k1.Secp256k1 library;

    private NativeRecovery(fr.acinq.secp256k1.Secp256k1 library) {
        this.library = library;
    }

    /**
     * Loads the native library.
     *
     * @throws RuntimeException if there is none for this machine, or it cannot be unpacked
     * @throws LinkageError if the library's classes are missing, or nothing may be executed from the folder
     */
    static NativeRecovery load() {
        return new NativeRecovery(fr.acinq.secp256k1.Secp256k1.get());
    }

    /**
     * Returns the public key that signed a hash: 64 bytes, x and y. Null if there is none.
     *
     * @param signature whose r and s are in range
     */
    byte @Nullable [] recover(Hash32 hash, Signature signature) {
        byte[] compact = new byte[2 * Hash32.SIZE_BYTES];
        put(signature.r(), compact, Hash32.SIZE_BYTES);
        put(signature.s(), compact, 2 * Hash32.SIZE_BYTES);
        try {
            byte[] key = library.ecdsaRecover(compact, hash.toArray(), signature.yParity());
            byte[] point = new byte[key.length - 1];
            // The first byte says that the point is not compressed.
            System.arraycopy(key, 1, point, 0, point.length);
            return point;
        } catch (Secp256k1Exception e) {
            return null;
        }
    }

    /** Puts a number of at most 256 bits before a position, with leading zeros. */
    private static void put(BigInteger number, byte[] to, int end) {
        byte[] bytes = number.toByteArray();
        int length = Math.min(bytes.length, Hash32.SIZE_BYTES);
        System.arraycopy(bytes, bytes.length - length, to, end - length, length);
    }
}
