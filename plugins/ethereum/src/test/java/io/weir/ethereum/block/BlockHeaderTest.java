package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockHeaderTest {
    @Test
    void everyFieldOfTheFirstFifteenMustBeThere() {
        for (HeaderField missing : HeaderField.values()) {
            if (missing.index() < HeaderField.ALWAYS) {
                BlockHeaderBuilder builder = upTo(HeaderField.NONCE, missing);
                assertThatIllegalArgumentException()
                        .isThrownBy(builder::build)
                        .withMessage(missing.jsonName() + ": none (expected: one in this header)");
            }
        }
    }

    @Test
    void aSealOfAuraStandsInPlaceOfMixHashAndNonce() {
        BlockHeader usual = upTo(HeaderField.NONCE, null).build();
        Bytes signature = Bytes.wrap(new byte[65]);
        BlockHeader sealed = upTo(HeaderField.NONCE, null)
                .auraSeal(BigInteger.valueOf(302_674_364), signature)
                .build();
        assertThat(sealed.has(HeaderField.MIX_HASH)).isFalse();
        assertThat(sealed.get(HeaderField.NONCE)).isNull();
        List<Bytes> fields = RlpReader.of(sealed.rlp()).listOf(RlpReader::bytes);
        assertThat(fields.subList(0, 13))
                .isEqualTo(RlpReader.of(usual.rlp()).listOf(RlpReader::bytes).subList(0, 13));
        assertThat(fields.subList(13, 15)).containsExactly(Bytes.fromHex("0x120a71bc"), signature);
    }

    @Test
    void laterFieldsComeInOrderWithoutAGap() {
        assertThat(upTo(HeaderField.SLOT_NUMBER, null).build().has(HeaderField.SLOT_NUMBER))
                .isTrue();
        BlockHeaderBuilder gap = upTo(HeaderField.BLOB_GAS_USED, HeaderField.WITHDRAWALS_ROOT);
        assertThatIllegalArgumentException()
                .isThrownBy(gap::build)
                .withMessage("withdrawalsRoot: none (expected: one in this header)");
    }

    @Test
    void aHeaderIsTheSameAfterWritingAndReadingForEveryNumberOfFields() {
        for (int last = HeaderField.NONCE.index(); last < HeaderField.values().length; last++) {
            BlockHeader header = upTo(HeaderField.values()[last], null).build();
            BlockHeader read = BlockHeader.decode(header.rlp());
            assertThat(read).isEqualTo(header).hasSameHashCodeAs(header);
            assertThat(read.hash()).isEqualTo(header.hash());
        }
    }

    @Test
    void fieldsOfAForkNotYetKnownAreKept() {
        byte[] known = upTo(HeaderField.SLOT_NUMBER, null).build().rlp();
        byte[] longer = RlpWriter.list(list -> {
            RlpReader.of(known).listOf(RlpReader::bytes).forEach(list::bytes);
            list.bytes(new byte[] {1, 2, 3}).bytes(new byte[0]);
        });
        BlockHeader header = BlockHeader.decode(longer);
        assertThat(header.rlp()).isEqualTo(longer);
        assertThat(header.hash()).isEqualTo(Bytes.wrap(longer).keccak());
    }

    @Test
    void fieldsHoldTheirForm() {
        refused(HeaderField.PARENT_HASH, "0x00", "parentHash: 1 bytes (expected: 32)");
        refused(HeaderField.NONCE, "0x0", "nonce: hex: \"0x0\" (expected: an even number of digits)");
        refused(HeaderField.NUMBER, "0x01", "number: quantity: \"0x01\" (expected: no leading zeros)");
        refused(
                HeaderField.GAS_LIMIT,
                "0x10000000000000000",
                "gasLimit: 0x010000000000000000 (expected: a number of at most 8 bytes)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockHeader.builder().set(HeaderField.NUMBER, -1))
                .withMessage("number: -1 (expected: not negative)");
    }

    @Test
    void all64BitsOfANumberAreKept() {
        BlockHeader header = upTo(HeaderField.NONCE, null)
                .hex(HeaderField.GAS_LIMIT, "0xffffffffffffffff")
                .build();
        assertThat(header.gasLimit()).isEqualTo(-1L);
        List<String> shown = new ArrayList<>();
        header.forEachHex((field, text) -> shown.add(field.jsonName() + "=" + text));
        assertThat(shown).hasSize(15).contains("gasLimit=0xffffffffffffffff", "number=0x0", "extraData=0x");
    }

    @Test
    void tooFewAndTooManyFieldsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockHeader.decode(RlpWriter.list(list -> list.hash(Hash32.ZERO))))
                .withMessage("header: 1 fields (expected: 15 to 64)");
        byte[] endless = RlpWriter.list(list -> {
            for (int i = 0; i < 1_000_000; i++) {
                list.unsigned(1);
            }
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockHeader.decode(endless))
                .withMessage("header: 65 fields (expected: 15 to 64)");
        assertThatExceptionOfType(RlpException.class).isThrownBy(() -> BlockHeader.decode(new byte[0]));
    }

    private static BlockHeaderBuilder upTo(HeaderField last, HeaderField without) {
        BlockHeaderBuilder builder = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            if (field.compareTo(last) <= 0 && field != without) {
                builder.set(field, Bytes.wrap(new byte[size(field)]));
            }
        }
        return builder;
    }

    private static int size(HeaderField field) {
        if (field.isQuantity()) {
            return 0;
        }
        return switch (field) {
            case MINER -> 20;
            case LOGS_BLOOM -> 256;
            case NONCE -> 8;
            case EXTRA_DATA -> 0;
            default -> 32;
        };
    }

    private static void refused(HeaderField field, String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockHeader.builder().hex(field, text))
                .withMessage(message);
    }
}
