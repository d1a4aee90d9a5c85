package io.weir.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HexTest {
    @Test
    void bytesAreTwoLowerCaseDigitsEach() {
        assertThat(Hex.encode(new byte[] {0, 1, (byte) 0xab, (byte) 0xff})).isEqualTo("0x0001abff");
        assertThat(Hex.encode(new byte[0])).isEqualTo("0x");
    }

    @Test
    void digitsOfEitherCaseAreRead() {
        assertThat(Hex.decode("0xAbcDEf")).containsExactly(0xab, 0xcd, 0xef);
        assertThat(Hex.decode("0x")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''       | hex: "" (expected: 0x and digits)
            00       | hex: "00" (expected: 0x and digits)
            0X00     | hex: "0X00" (expected: 0x and digits)
            0x0      | hex: "0x0" (expected: an even number of digits)
            0x0g     | hex: "0x0g" (expected: a hexadecimal digit at index 3)
            0x-1     | hex: "0x-1" (expected: a hexadecimal digit at index 2)
            0x٣٣     | hex: "0x٣٣" (expected: a hexadecimal digit at index 2)
            """)
    void malformedTextIsRefused(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> Hex.decode(text)).withMessage(message);
    }

    @Test
    void aMessageShowsOnlyTheBeginningOfLongText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hex.decode("x".repeat(1_000_000)))
                .withMessage("hex: \"" + "x".repeat(77) + "...\" (expected: 0x and digits)");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            assertThat(Hex.decode(Hex.encode(bytes))).as("seed %d", seed).isEqualTo(bytes);
        }
    }
}
