package io.weir.ethereum.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Small tries with known roots; whole lists and states are held against a chain in the tests of blocks. */
class TrieRootTest {
    @Test
    void anEmptyTrieHasTheKnownRoot() {
        Hash32 known = Hash32.fromHex("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
        assertThat(TrieRoot.EMPTY).isEqualTo(known);
        assertThat(TrieRoot.ofList(List.of())).isEqualTo(known);
        assertThat(TrieRoot.ofMap(Map.of())).isEqualTo(known);
        assertThat(TrieRoot.ofSecureMap(Map.of())).isEqualTo(known);
    }

    /** "puppy" of the public Ethereum tests: keys that begin other keys, so that a branch holds a value. */
    @Test
    void aKeyMayBeginAnother() {
        Map<Bytes, Bytes> values = new HashMap<>();
        values.put(ascii("do"), ascii("verb"));
        values.put(ascii("horse"), ascii("stallion"));
        values.put(ascii("doge"), ascii("coin"));
        values.put(ascii("dog"), ascii("puppy"));
        assertThat(TrieRoot.ofMap(values))
                .isEqualTo(Hash32.fromHex("0x5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84"));
    }

    /** "singleItem" of the public Ethereum tests. */
    @Test
    void oneValueIsALeaf() {
        assertThat(TrieRoot.ofMap(Map.of(ascii("A"), ascii("a".repeat(50)))))
                .isEqualTo(Hash32.fromHex("0xd23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab"));
    }

    /** The branch is written out by hand, as the definition has it. */
    @Test
    void aChildOf31BytesStandsInItsParentAndOneOf32ByItsHash() {
        byte[] shorter = new byte[28];
        byte[] longer = new byte[29];
        byte[] embedded = RlpWriter.list(leaf -> leaf.unsigned(0x30).bytes(shorter));
        byte[] hashed = RlpWriter.list(leaf -> leaf.unsigned(0x30).bytes(longer));
        assertThat(embedded).hasSize(31);
        assertThat(hashed).hasSize(32);
        byte[] branch = RlpWriter.list(node -> {
            node.encoded(embedded).hash(Hash32.keccak(hashed));
            for (int i = 2; i < 17; i++) {
                node.bytes(Bytes.EMPTY);
            }
        });
        assertThat(TrieRoot.ofMap(
                        Map.of(Bytes.fromHex("0x00"), Bytes.wrap(shorter), Bytes.fromHex("0x10"), Bytes.wrap(longer))))
                .isEqualTo(Hash32.keccak(branch));
    }

    @Test
    void everyValueCounts() {
        List<byte[]> values = List.of(new byte[] {1}, new byte[] {2}, new byte[] {3});
        assertThat(TrieRoot.ofList(values)).isNotEqualTo(TrieRoot.ofList(values.subList(0, 2)));
        assertThat(TrieRoot.ofList(values))
                .isNotEqualTo(TrieRoot.ofList(List.of(new byte[] {1}, new byte[] {3}, new byte[] {2})));
    }

    @Test
    void emptyValuesAndLongKeysAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrieRoot.ofList(List.of(new byte[0])))
                .withMessage("trie value: empty (expected: at least one byte)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrieRoot.ofMap(Map.of(Bytes.wrap(new byte[65]), ascii("a"))))
                .withMessage("trie key: 65 bytes (expected: at most 64)");
    }

    private static Bytes ascii(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
