package io.weir.ethereum.transaction;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.signature.SignatureRule;
import java.math.BigInteger;

/**
 * An account's leave to run the code of another address in its name (EIP-7702). Immutable.
 *
 * <p>A block may hold one that nobody signed rightly: it has no effect but is hashed all the same. So the parts of the
 * signature stand here as they came, the parity any byte, the nonce the bits of an unsigned long.
 */
public record Authorization(BigInteger chainId, Address address, long nonce, int yParity, BigInteger r, BigInteger s) {
    private static final byte[] MAGIC = {0x05};

    public Authorization {
        if (yParity < 0 || yParity > 0xff) {
            throw new IllegalArgumentException("authorization yParity: " + yParity + " (expected: 0 to 255)");
        }
    }

    /** Signs an authorization; a chain id of 0 is for every chain. */
    public static Authorization sign(BigInteger chainId, Address address, long nonce, BigInteger privateKey) {
        Signature signature = Secp256k1.sign(signingHash(chainId, address, nonce), privateKey);
        return new Authorization(chainId, address, nonce, signature.yParity(), signature.r(), signature.s());
    }

    /** The account that gives the leave. */
    public Address authority() {
        return Secp256k1.recover(
                signingHash(chainId, address, nonce), new Signature(yParity, r, s), SignatureRule.LOW_S);
    }

    private static Hash32 signingHash(BigInteger chainId, Address address, long nonce) {
        return Hash32.keccak(
                MAGIC,
                RlpWriter.list(
                        fields -> fields.quantity(chainId).address(address).unsigned(nonce)));
    }

    void write(RlpWriter writer) {
        writer.nested(fields -> fields.quantity(chainId)
                .address(address)
                .unsigned(nonce)
                .unsigned(yParity)
                .quantity(r)
                .quantity(s));
    }

    static Authorization read(RlpReader reader) {
        RlpReader fields = reader.list();
        Authorization read = new Authorization(
                fields.quantity(),
                fields.address(),
                fields.unsigned(),
                parity(fields.unsigned()),
                fields.quantity(),
                fields.quantity());
        fields.end();
        return read;
    }

    private static int parity(long value) {
        return value < 0 || value > 0xff ? -1 : (int) value;
    }
}
