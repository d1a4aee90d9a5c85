package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiptTest {
    private static final Log LOG = new Log(Address.ZERO, List.of(Hash32.ZERO), Bytes.fromHex("0x01"));

    @Test
    void aReceiptHasTheBloomOfItsLogs() {
        assertThat(Receipt.of(TransactionType.BLOB, false, 1, List.of(LOG)).bloom())
                .isEqualTo(Bloom.EMPTY.add(Address.ZERO.bytes()).add(Hash32.ZERO.bytes()));
        assertThat(Receipt.withRoot(Hash32.ZERO, 1, List.of()).bloom()).isEqualTo(Bloom.EMPTY);
    }

    @Test
    void successFailureAndRootAreKeptApart() {
        Receipt success = Receipt.of(TransactionType.LEGACY, true, 1, List.of());
        Receipt failure = Receipt.of(TransactionType.LEGACY, false, 1, List.of());
        Receipt root = Receipt.withRoot(Hash32.ZERO, 1, List.of());
        assertThat(success.encoded()).isNotEqualTo(failure.encoded());
        for (Receipt receipt : List.of(success, failure, root)) {
            assertThat(Receipt.decode(receipt.encoded())).isEqualTo(receipt);
        }
    }

    @Test
    void aChainMayHaveATypeOfItsOwnWithMoreItems() {
        Receipt receipt = Receipt.of(TransactionType.LEGACY, true, 7, List.of(LOG));
        byte[] encoded = receipt.encodedAs(0x7e, List.of(BigInteger.TEN, BigInteger.ONE));
        assertThat(encoded[0]).isEqualTo((byte) 0x7e);
        RlpReader fields =
                RlpReader.of(Arrays.copyOfRange(encoded, 1, encoded.length)).list();
        RlpReader usual = RlpReader.of(receipt.encoded()).list();
        for (int i = 0; i < 4; i++) {
            assertThat(fields.encoded()).isEqualTo(usual.encoded());
        }
        assertThat(fields.unsigned()).isEqualTo(10);
        assertThat(fields.unsigned()).isEqualTo(1);
        fields.end();
        assertThat(receipt.encodedAs(0, List.of())).isEqualTo(receipt.encoded());
    }

    @Test
    void aBloomSaysNoForSure() {
        Bloom bloom = Bloom.ofLogs(List.of(LOG));
        assertThat(bloom.contains(Address.ZERO)).isTrue();
        assertThat(bloom.contains(Hash32.ZERO)).isTrue();
        assertThat(bloom.contains(Bytes.fromHex("0x01"))).isFalse();
        assertThat(Bloom.fromHex(bloom.hex())).isEqualTo(bloom);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bloom.fromHex("0x00"))
                .withMessage("bloom: 1 bytes (expected: 256)");
    }

    @Test
    void aLogHasFourTopicsAtMost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Log(Address.ZERO, Collections.nCopies(5, Hash32.ZERO), Bytes.EMPTY))
                .withMessage("topics: 5 (expected: at most 4)");
    }

    @Test
    void bytesThatAreNoReceiptAreRefused() {
        undecodable(new byte[0], "receipt: no bytes (expected: a type or a list)");
        undecodable(new byte[] {0, (byte) 0xc0}, "receipt type: 0 (expected: 1 to 4, or a list)");
        undecodable(new byte[] {5, (byte) 0xc0}, "receipt type: 5 (expected: 1 to 4, or a list)");
        undecodable(RlpWriter.list(list -> list.unsigned(2)), "receipt status: 0x02 (expected: 0x, 0x01 or a root)");
        undecodable(
                RlpWriter.list(list -> list.unsigned(1).unsigned(1).unsigned(1)),
                "rlp at byte 3: a string of 1 bytes (expected: 256)");
    }

    private static void undecodable(byte[] encoded, String message) {
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> Receipt.decode(encoded))
                .withMessage(message);
    }
}
