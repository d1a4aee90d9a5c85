package io.weir.ethereum.rlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hex;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples are those of the Ethereum documentation's page on RLP, and the edges between its forms. */
class RlpWriterTest {
    @Test
    void theExamplesOfTheDocumentationHold() {
        assertThat(hex(RlpWriter.string(ascii("dog")))).isEqualTo("0x83646f67");
        assertThat(hex(RlpWriter.list(list -> list.bytes(ascii("cat")).bytes(ascii("dog")))))
                .isEqualTo("0xc88363617483646f67");
        assertThat(hex(RlpWriter.string(new byte[0]))).isEqualTo("0x80");
        assertThat(hex(RlpWriter.list(list -> {}))).isEqualTo("0xc0");
        assertThat(hex(RlpWriter.string(new byte[] {0}))).isEqualTo("0x00");
        assertThat(hex(RlpWriter.string(new byte[] {0x0f}))).isEqualTo("0x0f");
        assertThat(hex(RlpWriter.string(ascii("Lorem ipsum dolor sit amet, consectetur adipisicing elit"))))
                .startsWith("0xb8384c6f72656d20697073756d");
    }

    @Test
    void threeInSetTheory() {
        byte[] three = RlpWriter.list(outer -> outer.nested(list -> {})
                .nested(list -> list.nested(inner -> {}))
                .nested(list -> list.nested(inner -> {}).nested(inner -> inner.nested(none -> {}))));
        assertThat(hex(three)).isEqualTo("0xc7c0c1c0c3c0c1c0");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0x80",
        "1,0x01",
        "127,0x7f",
        "128,0x8180",
        "255,0x81ff",
        "256,0x820100",
        "1024,0x820400",
        "9223372036854775807,0x887fffffffffffffff"
    })
    void numbersTakeTheFewestBytes(long number, String encoded) {
        assertThat(hex(new RlpWriter().unsigned(number).toByteArray())).isEqualTo(encoded);
        assertThat(hex(new RlpWriter().quantity(BigInteger.valueOf(number)).toByteArray()))
                .isEqualTo(encoded);
    }

    @Test
    void aLongIsUnsigned() {
        assertThat(hex(new RlpWriter().unsigned(-1).toByteArray())).isEqualTo("0x88ffffffffffffffff");
        assertThatIllegalArgumentException().isThrownBy(() -> new RlpWriter().quantity(BigInteger.valueOf(-1)));
    }

    @ParameterizedTest
    @CsvSource({"55,0xb7", "56,0xb838", "255,0xb8ff", "256,0xb90100", "65535,0xb9ffff", "65536,0xba010000"})
    void aLongerStringHasItsLengthAfterTheHead(int length, String head) {
        byte[] value = new byte[length];
        assertThat(hex(RlpWriter.string(value))).isEqualTo(head + "00".repeat(length));
        assertThat(new RlpWriter().bytes(Bytes.copyOf(value)).toByteArray()).isEqualTo(RlpWriter.string(value));
    }

    @ParameterizedTest
    @CsvSource({"55,0xf7", "56,0xf838", "255,0xf8ff", "256,0xf90100", "65536,0xfa010000"})
    void aLongerListHasItsLengthAfterTheHead(int length, String head) {
        byte[] list = RlpWriter.list(items -> {
            for (int i = 0; i < length; i++) {
                items.unsigned(1);
            }
        });
        assertThat(hex(list)).isEqualTo(head + "01".repeat(length));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String hex(byte[] bytes) {
        return Hex.encode(bytes);
    }
}
