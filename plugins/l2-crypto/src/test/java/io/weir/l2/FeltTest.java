package io.weir.l2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeltTest {
    private static final BigInteger GREATEST = Felt.PRIME.subtract(BigInteger.ONE);

    @Test
    void theGreatestFeltIsOneBelowThePrime() {
        assertThat(Felt.of(GREATEST).toBigInteger()).isEqualTo(GREATEST);
        assertThat(Felt.of(Felt.of(GREATEST).toBytes()).toBigInteger()).isEqualTo(GREATEST);
        assertThatIllegalArgumentException().isThrownBy(() -> Felt.of(Felt.PRIME));
        assertThatIllegalArgumentException().isThrownBy(() -> Felt.parseHex("0x" + Felt.PRIME.toString(16)));
        assertThatIllegalArgumentException().isThrownBy(() -> Felt.of(-1));
        assertThat(Felt.reduced(BigInteger.ONE.negate()).toBigInteger()).isEqualTo(GREATEST);
    }

    @Test
    void leadingZerosAreReadAndNotWritten() {
        Felt felt = Felt.parseHex("0x0404d7");
        assertThat(felt.toHex()).isEqualTo("0x404d7");
        assertThat(felt.toPaddedHex()).isEqualTo("0x" + "0".repeat(59) + "404d7");
        assertThat(Felt.parseHex("0x" + "0".repeat(63) + "1"))
                .isEqualTo(Felt.ONE)
                .hasSameHashCodeAs(Felt.ONE);
        assertThat(Felt.ZERO.toHex()).isEqualTo("0x0");
    }

    @Test
    void bothWaysOfWritingAreRead() {
        assertThat(Felt.parse("0xFf")).isEqualTo(Felt.of(255));
        assertThat(Felt.parse("255")).isEqualTo(Felt.of(255));
        assertThat(Felt.parse(GREATEST.toString())).isEqualTo(Felt.of(GREATEST));
    }

    @Test
    void whatIsNoNumberIsRefused() {
        for (String text :
                List.of("", "0x", "-1", "0x-1", "12a", "0xg", " 1", "1.0", "0x" + "0".repeat(65), "9".repeat(79))) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> Felt.parse(text))
                    .withMessageContaining("expected");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Felt.of(new byte[31]));
    }

    @Test
    void aShortStringComesBack() {
        assertThat(ShortString.encode("SN_SEPOLIA").toHex()).isEqualTo("0x534e5f5345504f4c4941");
        assertThat(ShortString.decode(ShortString.encode("SN_MAIN"))).isEqualTo("SN_MAIN");
        assertThat(ShortString.encode("")).isEqualTo(Felt.ZERO);
        assertThatIllegalArgumentException().isThrownBy(() -> ShortString.encode("a".repeat(32)));
        assertThatIllegalArgumentException().isThrownBy(() -> ShortString.encode("ä"));
    }

    @Test
    void addressesHaveTheirLettersByTheirHash() {
        Vectors.transcribed("checksum_address")
                .path("cases")
                .forEach(pair -> assertThat(Address.checksummed(Vectors.felt(pair.path(0))))
                        .isEqualTo(pair.path(1).stringValue()));
    }
}
