package io.weir.l2.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bouncycastle.util.BigIntegers;
import org.junit.jupiter.api.Test;

/** Places of a tree without a node: hashes that no seed is known to have. */
class Bip32NodeTest {
    private static final BigInteger LAST = PublicPoint.ORDER.subtract(BigInteger.ONE);

    /** Returns a hash with this number in its first half. */
    private static byte[] hash(BigInteger number) {
        byte[] hash = new byte[64];
        System.arraycopy(BigIntegers.asUnsignedByteArray(32, number), 0, hash, 0, 32);
        hash[63] = 7;
        return hash;
    }

    private static Bip32Node node(BigInteger key) {
        return Bip32Node.of(key, hash(key));
    }

    private static void assertNone(ThrowingCallable node) {
        assertThatIllegalStateException().isThrownBy(node).withMessageContaining("none at this place");
    }

    @Test
    void theKeyOfANodeIsNeitherZeroNorTheOrderOfTheCurveOrMore() {
        assertNone(() -> node(BigInteger.ZERO));
        assertNone(() -> node(PublicPoint.ORDER));
        try (Bip32Node first = node(BigInteger.ONE);
                Bip32Node last = node(LAST)) {
            assertThat(new BigInteger(1, first.key())).isEqualTo(BigInteger.ONE);
            assertThat(new BigInteger(1, last.key())).isEqualTo(LAST);
        }
    }

    @Test
    void thereIsNoChildWhoseKeyWouldBeZeroOrWhoseHashIsTheOrderOfTheCurveOrMore() {
        try (Bip32Node parent = node(BigInteger.TWO)) {
            assertNone(() -> parent.child(hash(LAST.subtract(BigInteger.ONE))));
            assertNone(() -> parent.child(hash(PublicPoint.ORDER)));
            try (Bip32Node child = parent.child(hash(LAST))) {
                assertThat(new BigInteger(1, child.key())).isEqualTo(BigInteger.ONE);
                assertThat(child.chainCode()).endsWith((byte) 7);
            }
        }
    }
}
