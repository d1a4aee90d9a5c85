package io.weir.ethereum.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Secp256k1Test {
    private static final BigInteger KEY =
            new BigInteger("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", 16);
    private static final Hash32 HASH = Bytes.fromHex("0x01").keccak();

    /** The first account of the mnemonic that development nodes share. */
    @Test
    void aKnownKeyHasItsKnownAddress() {
        assertThat(Secp256k1.address(KEY)).isEqualTo(Address.fromHex("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"));
    }

    /** Widely published vectors for RFC 6979 on this curve with SHA-256. */
    @Test
    void signingIsDeterministic() throws NoSuchAlgorithmException {
        Signature satoshi = Secp256k1.sign(sha256("Satoshi Nakamoto"), BigInteger.ONE);
        assertThat(satoshi.r().toString(16))
                .isEqualTo("934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8");
        assertThat(satoshi.s().toString(16))
                .isEqualTo("2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5");
        Signature tears = Secp256k1.sign(
                sha256("All those moments will be lost in time, like tears in rain. Time to die..."), BigInteger.ONE);
        assertThat(tears.r().toString(16))
                .isEqualTo("8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b");
        assertThat(tears.s().toString(16))
                .isEqualTo("547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21");
    }

    @Test
    void whoeverSignedIsRecovered() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            BigInteger key = new BigInteger(256, random)
                    .mod(Secp256k1.ORDER.subtract(BigInteger.ONE))
                    .add(BigInteger.ONE);
            byte[] message = new byte[32];
            random.nextBytes(message);
            Signature signature = Secp256k1.sign(Hash32.wrap(message), key);
            assertThat(Secp256k1.recover(Hash32.wrap(message), signature, SignatureRule.LOW_S))
                    .as("seed %d", seed)
                    .isEqualTo(Secp256k1.address(key));
        }
    }

    @Test
    void aHighSIsForFrontierOnly() {
        Signature low = Secp256k1.sign(HASH, KEY);
        Signature high = new Signature(1 - low.yParity(), low.r(), Secp256k1.ORDER.subtract(low.s()));
        assertThat(Secp256k1.recover(HASH, high, SignatureRule.ANY_S)).isEqualTo(Secp256k1.address(KEY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secp256k1.recover(HASH, high, SignatureRule.LOW_S))
                .withMessageContaining("(expected: at most half of the order, EIP-2)");
    }

    @Test
    void halfOfTheOrderItselfIsLow() {
        BigInteger r = Secp256k1.sign(HASH, KEY).r();
        assertThatCode(() -> Secp256k1.recover(HASH, new Signature(0, r, half()), SignatureRule.LOW_S))
                .doesNotThrowAnyException();
        Signature above = new Signature(0, r, half().add(BigInteger.ONE));
        assertThatIllegalArgumentException().isThrownBy(() -> Secp256k1.recover(HASH, above, SignatureRule.LOW_S));
    }

    @Test
    void numbersOutsideOfTheGroupAreRefused() {
        refused(new Signature(0, BigInteger.ZERO, BigInteger.ONE), "r: 0x0 (expected: above 0");
        refused(new Signature(0, BigInteger.ONE, BigInteger.ZERO), "s: 0x0 (expected: above 0");
        refused(new Signature(0, Secp256k1.ORDER, BigInteger.ONE), "and below the curve's order)");
        refused(new Signature(0, BigInteger.ONE, Secp256k1.ORDER), "and below the curve's order)");
        // No point of the curve has the coordinate 5.
        refused(new Signature(0, BigInteger.valueOf(5), BigInteger.ONE), "r: 0x5 (expected: the coordinate of a point");
    }

    @Test
    void aWrongKeyIsNotShownInTheMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secp256k1.sign(HASH, Secp256k1.ORDER))
                .withMessage("private key: out of range (expected: above 0 and below the order)");
        assertThatIllegalArgumentException().isThrownBy(() -> Secp256k1.address(BigInteger.ZERO));
    }

    @Test
    void aParityIsZeroOrOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Signature(2, BigInteger.ONE, BigInteger.ONE))
                .withMessage("yParity: 2 (expected: 0 or 1)");
    }

    private static void refused(Signature signature, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secp256k1.recover(HASH, signature, SignatureRule.ANY_S))
                .withMessageContaining(message);
    }

    private static BigInteger half() {
        return Secp256k1.ORDER.shiftRight(1);
    }

    private static Hash32 sha256(String text) throws NoSuchAlgorithmException {
        return Hash32.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
