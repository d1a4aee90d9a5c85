package io.weir.ethereum.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes written out by hand, with their true hash as the root: what is wrong in them is their form. */
class TrieProofTest {
    private static final String EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
    private static final Hash32 KEY =
            Hash32.fromHex("0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");

    /** The key's nibbles but the first, and but the first two. */
    private static final String REST_1 = "3" + KEY.hex().substring(3);

    private static final String REST_2 = "20" + KEY.hex().substring(4);
    private static final Bytes VALUE = Bytes.fromHex("0x2a");
    private static final Hash32 OTHER = Hash32.keccak();

    @Test
    void anEmptyTrieIsProvenByNoNodesOrByItsOneNode() {
        Hash32 root = Hash32.fromHex(EMPTY_ROOT);

        assertThat(TrieProof.find(root, KEY, List.of())).isNull();
        assertThat(TrieProof.find(root, KEY, List.of(Bytes.fromHex("0x80")))).isNull();
        assertThat(Trie.of(Map.of()).root()).isEqualTo(root);
        assertThat(Trie.of(Map.of()).proof(KEY)).isEmpty();
        assertRefused(
                root, List.of(Bytes.fromHex("0x80"), Bytes.fromHex("0x80")), 0, "1 nodes left over (expected: none)");
        assertRefused(OTHER, List.of(), 0, "no node left (expected: one with hash " + OTHER + ")");
    }

    @Test
    void aLeafIsTheWholeTrie() {
        Bytes leaf = leaf("20" + KEY.hex().substring(2), VALUE);

        assertThat(find(leaf)).isEqualTo(VALUE);
        assertThat(TrieProof.find(leaf.keccak(), OTHER, List.of(leaf))).isNull();
        assertThat(Trie.of(Map.of(KEY, VALUE)).proof(OTHER)).containsExactly(leaf);
    }

    @Test
    void aBranchLeadsToTheNextNodeOrToNothing() {
        Bytes leaf = leaf(REST_1, VALUE);
        Bytes branch = branch(Map.of(0, hash(leaf), 5, hash(leaf)));

        assertThat(find(branch, leaf)).isEqualTo(VALUE);
        assertThat(find(branch(Map.of(1, hash(leaf), 5, hash(leaf))))).isNull();
        assertRefused(1, "no node left (expected: one with hash " + leaf.keccak() + ")", branch);
        assertRefused(1, "1 nodes left over (expected: none)", branch, leaf, leaf);
        assertRefused(
                0,
                "a node with hash " + leaf.keccak() + " (expected: " + branch.keccak() + ")",
                branch.keccak(),
                leaf,
                branch);
    }

    @Test
    void anExtensionLeadsToABranchOrAwayFromTheKey() {
        Bytes leaf = leaf(REST_2, VALUE);
        Bytes branch = branch(Map.of(1, hash(leaf), 5, hash(leaf)));

        assertThat(find(part("10", hash(branch)), branch, leaf)).isEqualTo(VALUE);
        assertThat(find(part("11", hash(branch)))).isNull();
        assertThat(find(part("000122", hash(branch)))).isNull();
        assertRefused(1, "a node of 2 items below an extension (expected: 17)", part("10", hash(leaf)), leaf);
        assertRefused(0, "a child of 1 bytes (expected: a hash, or a list of less than 32 bytes)", part("10", none()));
    }

    @ParameterizedTest
    @CsvSource({
        "0x40, a hex prefix of 0x40",
        "0xff, a hex prefix of 0xff",
        "0x21, a hex prefix of 0x21",
        "0x0f, a hex prefix of 0xf"
    })
    void aHexPrefixHasFourForms(String prefix, String reason) {
        assertRefused(
                0,
                reason + " (expected: 0x00, 0x1., 0x20 or 0x3.)",
                leaf(prefix.substring(2) + KEY.hex().substring(2), VALUE));
    }

    @Test
    void aPathIsNeverEmptyAndEndsAtTheValueOnly() {
        assertRefused(0, "a path of 0 bytes (expected: 1 to 33)", leaf("", VALUE));
        assertRefused(
                0, "a leaf of 62 nibbles (expected: 64)", leaf("20" + KEY.hex().substring(4), VALUE));
        assertRefused(
                0,
                "a path of 34 bytes (expected: 1 to 33)",
                leaf("20" + KEY.hex().substring(2) + "00", VALUE));
        assertRefused(
                0,
                "a leaf without a value (expected: at least one byte)",
                leaf("20" + KEY.hex().substring(2), Bytes.EMPTY));
        assertRefused(0, "an extension of 0 nibbles (expected: at least 1 and less than 64)", part("00", hash(VALUE)));
        assertRefused(
                0,
                "an extension of 64 nibbles (expected: at least 1 and less than 64)",
                part("00" + KEY.hex().substring(2), hash(VALUE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 16, 18, 1000})
    void aNodeHasTwoItemsOrSeventeen(int items) {
        Bytes node = list(writer -> {
            for (int i = 0; i < items; i++) {
                writer.bytes(Bytes.EMPTY);
            }
        });
        assertRefused(0, "a node of " + items + " items (expected: 2 or 17)", node);
    }

    @Test
    void aBranchHasTwoChildrenOrMoreAndNoValue() {
        assertRefused(0, "a branch with 0 children (expected: at least 2)", branch(Map.of()));
        assertRefused(0, "a branch with 1 children (expected: at least 2)", branch(Map.of(0, hash(VALUE))));
        assertRefused(
                0,
                "a branch with a value (expected: none, as all keys have 32 bytes)",
                branch(Map.of(0, hash(VALUE), 1, hash(VALUE), 16, RlpWriter.string(VALUE.toArray()))));
    }

    /** A child next to the path as well: a branch is one node, and refused as one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15})
    void aChildIsAHashOrAShortList(int nibble) {
        String expected = " bytes (expected: a hash, or a list of less than 32 bytes)";
        byte[] longList = RlpWriter.list(writer -> writer.bytes(new byte[31]));
        for (byte[] child :
                List.of(new byte[] {1}, RlpWriter.string(new byte[31]), RlpWriter.string(new byte[33]), longList)) {
            assertRefused(0, "a child of " + child.length + expected, branch(Map.of(nibble, child, 7, hash(VALUE))));
        }
    }

    @Test
    void aShortNodeIsTheRootOrInsideItsParent() {
        Bytes leaf = leaf("3" + "f", VALUE);
        Bytes branch = branch(Map.of(0, hash(leaf), 1, hash(leaf)));

        assertRefused(1, "a node of " + leaf.size() + " bytes by its hash (expected: inside its parent)", branch, leaf);
    }

    @Test
    void aBranchBelowTheLastNibbleIsRefused() {
        Bytes empty = branch(Map.of(0, hash(VALUE), 1, hash(VALUE)));
        List<Bytes> nodes = new ArrayList<>(List.of(empty));
        for (int depth = 63; depth >= 0; depth--) {
            int nibble = Leaf.nibbles(KEY.toArray())[depth];
            nodes.add(0, branch(Map.of(nibble, hash(nodes.get(0)), 15 - nibble, hash(VALUE))));
        }
        assertRefused(64, "a branch at the end of the key (expected: a leaf)", nodes.toArray(new Bytes[0]));
    }

    @Test
    void whatIsNotTheOneEncodingIsRefused() {
        byte[] leaf = leaf("20" + KEY.hex().substring(2), VALUE).toArray();
        byte[] longHead = new byte[leaf.length + 1];
        System.arraycopy(leaf, 1, longHead, 2, leaf.length - 1);
        longHead[0] = (byte) 0xf8;
        longHead[1] = (byte) (leaf.length - 1);

        assertRefused(0, "rlp at byte 0: length 35 in a long head (expected: above 55)", Bytes.wrap(longHead));
        assertRefused(0, "rlp at byte 36: 1 bytes too many (expected: the end)", Bytes.wrap(Arrays.copyOf(leaf, 37)));
        assertRefused(
                0, "rlp at byte 0: an item cut off after 34 bytes (expected: 35)", Bytes.wrap(Arrays.copyOf(leaf, 35)));
        assertRefused(0, "rlp at byte 0: a string (expected: a list)", Bytes.fromHex("0x01"));
        assertRefused(0, "rlp at byte 0: no more bytes (expected: an item)", Bytes.EMPTY);
        assertRefused(
                0,
                "rlp at byte 0: a list (expected: a string)",
                list(writer -> writer.encoded(new byte[] {(byte) 0xc0}).bytes(VALUE)));
        assertRefused(
                0,
                "rlp at byte 35: a byte below 0x80 with a head (expected: the byte alone)",
                list(writer -> writer.bytes(Bytes.fromHex("0x20" + KEY.hex().substring(2)))
                        .encoded(new byte[] {(byte) 0x81, 42})));
    }

    private static Bytes find(Bytes... nodes) {
        return TrieProof.find(nodes[0].keccak(), KEY, List.of(nodes));
    }

    private static void assertRefused(int depth, String reason, Bytes... nodes) {
        assertRefused(nodes[0].keccak(), List.of(nodes), depth, reason);
    }

    private static void assertRefused(int depth, String reason, Hash32 root, Bytes... nodes) {
        assertRefused(root, List.of(nodes), depth, reason);
    }

    private static void assertRefused(Hash32 root, List<Bytes> nodes, int depth, String reason) {
        assertThatExceptionOfType(TrieProofException.class)
                .isThrownBy(() -> TrieProof.find(root, KEY, nodes))
                .withMessage("trie proof at depth " + depth + ": " + reason);
    }

    private static Bytes leaf(String path, Bytes value) {
        return part(path, RlpWriter.string(value.toArray()));
    }

    private static Bytes part(String path, byte[] item) {
        return list(node -> node.bytes(Bytes.fromHex("0x" + path)).encoded(item));
    }

    private static Bytes branch(Map<Integer, byte[]> items) {
        return list(node -> {
            for (int i = 0; i < 17; i++) {
                node.encoded(items.getOrDefault(i, none()));
            }
        });
    }

    private static byte[] hash(Bytes node) {
        return RlpWriter.string(node.keccak().toArray());
    }

    private static byte[] none() {
        return new byte[] {(byte) 0x80};
    }

    private static Bytes list(Consumer<RlpWriter> items) {
        return Bytes.wrap(RlpWriter.list(items));
    }
}
