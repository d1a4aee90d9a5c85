package io.weir.ethereum;

import org.bouncycastle.crypto.digests.KeccakDigest;

/** Keccak-256, the hash of Ethereum (not the later SHA3-256, which pads differently). Thread-safe. */
public final class Keccak {
    private Keccak() {}

    /** The 32-byte hash of parts as if they were one. */
    public static byte[] hash(byte[]... parts) {
        KeccakDigest digest = new KeccakDigest(256);
        for (byte[] part : parts) {
            digest.update(part, 0, part.length);
        }
        byte[] hash = new byte[Hash32.SIZE_BYTES];
        digest.doFinal(hash, 0);
        return hash;
    }
}
