package io.weir.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BytesTest {
    @Test
    void theSameBytesAreEqual() {
        assertThat(Bytes.fromHex("0x00ff")).isEqualTo(Bytes.copyOf(new byte[] {0, -1}));
        assertThat(Bytes.fromHex("0x00ff")).hasSameHashCodeAs(Bytes.copyOf(new byte[] {0, -1}));
        assertThat(Bytes.fromHex("0x00ff")).isNotEqualTo(Bytes.fromHex("0xff"));
    }

    @Test
    void noArrayOfACallerReachesInside() {
        byte[] array = {1, 2};
        Bytes bytes = Bytes.copyOf(array);
        array[0] = 9;
        bytes.toArray()[1] = 9;
        assertThat(bytes.hex()).isEqualTo("0x0102");
    }

    @Test
    void addressesAndHashesHoldTheirLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Address.fromHex("0x00"))
                .withMessage("address: 1 bytes (expected: 20)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hash32.fromHex("0x" + "00".repeat(33)))
                .withMessage("hash: 33 bytes (expected: 32)");
    }

    @Test
    void theHashIsKeccakNotSha3() {
        // Known from every account without code.
        assertThat(Bytes.EMPTY.keccak())
                .isEqualTo(Hash32.fromHex("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"));
    }

    @Test
    void partsAreHashedAsOne() {
        assertThat(Hash32.keccak(new byte[] {1}, new byte[0], new byte[] {2, 3}))
                .isEqualTo(Bytes.fromHex("0x010203").keccak());
    }
}
