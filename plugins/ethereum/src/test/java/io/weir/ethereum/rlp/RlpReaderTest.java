package io.weir.ethereum.rlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hex;
import java.math.BigInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RlpReaderTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0x                     | 0: no more bytes (expected: an item)
            0x8100                 | 0: a byte below 0x80 with a head (expected: the byte alone)
            0x817f                 | 0: a byte below 0x80 with a head (expected: the byte alone)
            0x81                   | 0: an item cut off after 0 bytes (expected: 1)
            0x83646f               | 0: an item cut off after 2 bytes (expected: 3)
            0xb8                   | 0: a length cut off (expected: 1 bytes)
            0xb90100               | 0: an item cut off after 0 bytes (expected: 256)
            0xb837                 | 0: length 55 in a long head (expected: above 55)
            0xb90038               | 0: a length with leading zeros (expected: the fewest bytes)
            0xb800                 | 0: a length with leading zeros (expected: the fewest bytes)
            0xbb7fffffff           | 0: an item cut off after 0 bytes (expected: 2147483647)
            0xbfffffffffffffffff   | 0: an item cut off after 0 bytes (expected: more than 2^31-1)
            0xbf8000000000000001   | 0: an item cut off after 0 bytes (expected: more than 2^31-1)
            0xff0100000000000000   | 0: an item cut off after 0 bytes (expected: more than 2^31-1)
            0xc1                   | 0: an item cut off after 0 bytes (expected: 1)
            0xc28361               | 1: an item cut off after 1 bytes (expected: 3)
            0xf800                 | 0: a length with leading zeros (expected: the fewest bytes)
            0xf80100               | 0: length 1 in a long head (expected: above 55)
            0xc0c0                 | 1: 1 bytes too many (expected: the end)
            0x0001                 | 1: 1 bytes too many (expected: the end)
            """)
    void malformedInputIsRefusedAtItsByte(String input, String message) {
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> RlpTree.decode(Hex.decode(input)))
                .withMessage("rlp at byte " + message);
    }

    @Test
    void theItemAskedForMustBeTheOneThatIsThere() {
        refused("0xc0", RlpReader::bytes, "0: a list (expected: a string)");
        refused("0x80", RlpReader::list, "0: a string (expected: a list)");
        refused("0x820102", reader -> reader.bytes(3), "0: a string of 2 bytes (expected: 3)");
        refused("0x00", RlpReader::unsigned, "0: a number with leading zeros (expected: the fewest bytes)");
        refused("0x820001", RlpReader::quantity, "0: a number with leading zeros (expected: the fewest bytes)");
        refused("0x89010000000000000000", RlpReader::unsigned, "0: a number of 9 bytes (expected: at most 8)");
        refused("0xa101" + "00".repeat(32), RlpReader::quantity, "0: a number of 33 bytes (expected: at most 32)");
        refused("0x820102", RlpReader::optionalAddress, "0: a string of 2 bytes (expected: 20)");
        refused("0x", RlpReader::optionalAddress, "0: no more bytes (expected: an item)");
    }

    @Test
    void aListIsReadNoFurtherThanItsEnd() {
        RlpReader outer = RlpReader.of(Hex.decode("0xc20102820304"));
        RlpReader inner = outer.list();
        assertThat(inner.unsigned()).isEqualTo(1);
        assertThat(inner.quantity()).isEqualTo(BigInteger.TWO);
        assertThat(inner.hasNext()).isFalse();
        inner.end();
        assertThat(outer.encoded()).isEqualTo(Bytes.fromHex("0x820304"));
        outer.end();
    }

    @Test
    void nestingIsBounded() {
        assertThat(RlpTree.decode(nested(RlpReader.MAX_DEPTH))).isInstanceOf(RlpTree.Branch.class);
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> RlpTree.decode(nested(RlpReader.MAX_DEPTH + 1)))
                .withMessageContaining("lists nested too deep (expected: at most 64)");
        assertThatExceptionOfType(RlpException.class).isThrownBy(() -> RlpTree.decode(nested(20_000)));
    }

    private static byte[] nested(int depth) {
        byte[] encoded = RlpWriter.list(list -> {});
        for (int i = 1; i < depth; i++) {
            byte[] inner = encoded;
            encoded = RlpWriter.list(list -> list.encoded(inner));
        }
        return encoded;
    }

    private static void refused(String input, Consumer<RlpReader> read, String message) {
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> read.accept(RlpReader.of(Hex.decode(input))))
                .withMessage("rlp at byte " + message);
    }
}
