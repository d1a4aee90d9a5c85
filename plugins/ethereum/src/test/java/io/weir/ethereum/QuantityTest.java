package io.weir.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

    @ParameterizedTest
    @CsvSource({"0,0x0", "1,0x1", "65,0x41", "1024,0x400", "9223372036854775807,0x7fffffffffffffff"})
    void aNumberHasTheFewestDigits(long number, String text) {
        assertThat(Quantity.encode(number)).isEqualTo(text);
        assertThat(Quantity.encode(BigInteger.valueOf(number))).isEqualTo(text);
        assertThat(Quantity.decodeLong(text)).isEqualTo(number);
        assertThat(Quantity.decodeUnsignedLong(text)).isEqualTo(number);
        assertThat(Quantity.decode(text)).isEqualTo(number);
    }

    @Test
    void allOf256BitsAreWrittenAndRead() {
        String text = "0x" + "f".repeat(64);
        assertThat(Quantity.encode(MAX)).isEqualTo(text);
        assertThat(Quantity.decode(text)).isEqualTo(MAX);
    }

    @Test
    void theUpperHalfOf64BitsIsForUnsignedOnly() {
        assertThat(Quantity.decodeUnsignedLong("0xffffffffffffffff")).isEqualTo(-1L);
        assertThat(Quantity.encodeUnsigned(-1L)).isEqualTo("0xffffffffffffffff");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decodeLong("0x8000000000000000"))
                .withMessage("quantity: \"0x8000000000000000\" (expected: at most 2^63-1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decodeUnsignedLong("0x10000000000000000"))
                .withMessage("quantity: \"0x10000000000000000\" (expected: at most 2^64-1)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''      | quantity: "" (expected: 0x and digits)
            0x      | quantity: "0x" (expected: 0x and digits)
            ff      | quantity: "ff" (expected: 0x and digits)
            0x0400  | quantity: "0x0400" (expected: no leading zeros)
            0x00    | quantity: "0x00" (expected: no leading zeros)
            0x-1    | hex: "0x-1" (expected: a hexadecimal digit at index 2)
            0x1_0   | hex: "0x1_0" (expected: a hexadecimal digit at index 3)
            """)
    void malformedTextIsRefusedByEveryReader(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decode(text))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decodeLong(text))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decodeUnsignedLong(text))
                .withMessage(message);
    }

    @Test
    void longNumbersAreHeldToTheirDigitsToo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decode("0x-0000000000000001"))
                .withMessageContaining("a hexadecimal digit at index 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.decode("0x1" + "0".repeat(64)))
                .withMessageContaining("at most 2^256-1");
    }

    @Test
    void negativeNumbersAreNotWritten() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.encode(-1))
                .withMessage("quantity: -1 (expected: not negative)");
        assertThatIllegalArgumentException().isThrownBy(() -> Quantity.encode(BigInteger.valueOf(-1)));
    }
}
