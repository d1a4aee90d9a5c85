package io.weir.ethereum.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts and slots whose nodes are right: what is wrong in them is what stands at the end of the path. */
class StateProofTest {
    private static final Address ADDRESS = Address.fromHex("0x00000000000000000000000000000000000a11ce");
    private static final Address NOBODY = Address.fromHex("0x00000000000000000000000000000000deadbeef");
    private static final Hash32 SLOT = Hash32.ZERO;
    private static final BigInteger MAX = BigInteger.TWO.pow(256).subtract(BigInteger.ONE);

    @Test
    void anAccountIsReadAsItWasWritten() {
        StateAccount account = StateAccount.of(-1, MAX, Hash32.keccak(new byte[] {1}), Hash32.keccak(new byte[] {2}));
        Trie state = entry(ADDRESS.bytes(), account.rlp());

        assertThat(StateProof.account(
                        state.root(), ADDRESS, state.proof(ADDRESS.bytes().keccak())))
                .isEqualTo(account);
        assertThat(StateProof.account(
                        state.root(), NOBODY, state.proof(NOBODY.bytes().keccak())))
                .isEqualTo(StateAccount.ABSENT);
    }

    /** Before EIP-161 a state could have such an account. */
    @Test
    void anEmptyAccountThatExistsIsNotAbsent() {
        StateAccount empty = StateAccount.of(0, BigInteger.ZERO, TrieRoot.EMPTY, StateAccount.NO_CODE);

        assertThat(readAccount(empty.rlp())).isEqualTo(empty).isNotEqualTo(StateAccount.ABSENT);
    }

    @Test
    void anAccountIsFourItemsInTheirOneEncoding() {
        Consumer<RlpWriter> roots = fields -> fields.hash(TrieRoot.EMPTY).hash(StateAccount.NO_CODE);

        assertRefusedAccount(
                "no more bytes (expected: an item)",
                fields -> fields.unsigned(1).unsigned(2).hash(SLOT));
        assertRefusedAccount("1 bytes too many (expected: the end)", fields -> {
            roots.accept(fields.unsigned(1).unsigned(2));
            fields.unsigned(3);
        });
        assertRefusedAccount(
                "a number with leading zeros (expected: the fewest bytes)",
                fields -> roots.accept(fields.bytes(new byte[1]).unsigned(2)));
        assertRefusedAccount(
                "a number with leading zeros (expected: the fewest bytes)",
                fields -> roots.accept(fields.unsigned(1).bytes(new byte[] {0, 1})));
        assertRefusedAccount(
                "a number of 9 bytes (expected: at most 8)",
                fields -> roots.accept(fields.quantity(BigInteger.TWO.pow(64)).unsigned(2)));
        assertRefusedAccount(
                "a number of 33 bytes (expected: at most 32)",
                fields -> roots.accept(fields.unsigned(1).quantity(BigInteger.TWO.pow(256))));
        assertRefusedAccount(
                "a string of 31 bytes (expected: 32)",
                fields -> fields.unsigned(1).unsigned(2).bytes(new byte[31]).hash(SLOT));
        assertRefusedAccount(
                "a string of 0 bytes (expected: 32)",
                fields -> fields.unsigned(1).unsigned(2).hash(SLOT).bytes(Bytes.EMPTY));
        assertRefusedAccount(
                "a list (expected: a string)",
                fields -> roots.accept(fields.nested(list -> {}).unsigned(2)));
        assertThatExceptionOfType(TrieProofException.class)
                .isThrownBy(() -> readAccount(Bytes.fromHex("0x01")))
                .withMessage("account " + ADDRESS + ": rlp at byte 0: a string (expected: a list)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1", "7f", "80", "ff", "100", "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
            })
    void aSlotIsReadAsItWasWritten(String digits) {
        BigInteger value = new BigInteger(digits, 16);

        assertThat(readSlot(new RlpWriter().quantity(value).toByteArray())).isEqualTo(value);
    }

    @Test
    void aSlotWithoutAnEntryIsZero() {
        Trie storage = entry(Bytes.wrap(new byte[] {1}), Bytes.wrap(new byte[] {1}));

        assertThat(StateProof.slot(
                        storage.root(), SLOT, storage.proof(SLOT.bytes().keccak())))
                .isZero();
    }

    @Test
    void aStoredValueIsAnIntegerThatIsNotZero() {
        assertRefusedSlot("a stored zero (expected: no entry)", new byte[] {(byte) 0x80});
        assertRefusedSlot("rlp at byte 0: a number with leading zeros (expected: the fewest bytes)", new byte[] {0});
        assertRefusedSlot(
                "rlp at byte 0: a number with leading zeros (expected: the fewest bytes)",
                RlpWriter.string(new byte[] {0, 1}));
        assertRefusedSlot(
                "rlp at byte 0: a number of 33 bytes (expected: at most 32)",
                new RlpWriter().quantity(MAX.add(BigInteger.ONE)).toByteArray());
        assertRefusedSlot("rlp at byte 1: 1 bytes too many (expected: the end)", new byte[] {1, 1});
        assertRefusedSlot(
                "rlp at byte 0: a byte below 0x80 with a head (expected: the byte alone)", new byte[] {(byte) 0x81, 1});
        assertRefusedSlot("rlp at byte 0: a list (expected: a string)", new byte[] {(byte) 0xc0});
    }

    private static void assertRefusedAccount(String reason, Consumer<RlpWriter> fields) {
        assertThatExceptionOfType(TrieProofException.class)
                .isThrownBy(() -> readAccount(Bytes.wrap(RlpWriter.list(fields))))
                .withMessageMatching("account " + ADDRESS + ": rlp at byte \\d+: \\Q" + reason + "\\E");
    }

    private static void assertRefusedSlot(String reason, byte[] value) {
        assertThatExceptionOfType(TrieProofException.class)
                .isThrownBy(() -> readSlot(value))
                .withMessage("slot " + SLOT + ": " + reason);
    }

    private static StateAccount readAccount(Bytes rlp) {
        Trie state = entry(ADDRESS.bytes(), rlp);
        return StateProof.account(
                state.root(), ADDRESS, state.proof(ADDRESS.bytes().keccak()));
    }

    private static BigInteger readSlot(byte[] value) {
        Trie storage = entry(SLOT.bytes(), Bytes.wrap(value));
        return StateProof.slot(storage.root(), SLOT, storage.proof(SLOT.bytes().keccak()));
    }

    private static Trie entry(Bytes hashed, Bytes value) {
        return Trie.of(Map.of(hashed.keccak(), value));
    }
}
