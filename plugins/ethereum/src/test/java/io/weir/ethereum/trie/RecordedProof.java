package io.weir.ethereum.trie;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An answer of a real node to {@code eth_getProof} (see the {@code SOURCE.md} of the folder). */
record RecordedProof(
        Hash32 stateRoot,
        Address address,
        long nonce,
        BigInteger balance,
        Hash32 storageHash,
        Hash32 codeHash,
        List<Bytes> nodes,
        List<Slot> slots) {

    /** A slot, the value that the node says it has, and its proof. */
    record Slot(Hash32 slot, BigInteger value, List<Bytes> nodes) {}

    /** The answers of one file. Without a state root of another source, the hash of the first node is theirs. */
    static List<RecordedProof> of(String name) {
        JsonNode file = read("/proofs/" + name + ".json");
        List<RecordedProof> proofs = new ArrayList<>();
        file.get("proofs").forEach(json -> {
            List<Bytes> nodes = nodes(json.get("accountProof"));
            Hash32 root = file.has("stateRoot")
                    ? hash(file, "stateRoot")
                    : nodes.get(0).keccak();
            proofs.add(of(root, json, nodes));
        });
        return proofs;
    }

    private static RecordedProof of(Hash32 root, JsonNode json, List<Bytes> nodes) {
        List<Slot> slots = new ArrayList<>();
        json.get("storageProof")
                .forEach(slot -> slots.add(new Slot(
                        word(new BigInteger(text(slot, "key").substring(2), 16)),
                        Quantity.decode(text(slot, "value")),
                        nodes(slot.get("proof")))));
        return new RecordedProof(
                root,
                Address.fromHex(text(json, "address")),
                Quantity.decodeLong(text(json, "nonce")),
                Quantity.decode(text(json, "balance")),
                hash(json, "storageHash"),
                hash(json, "codeHash"),
                nodes,
                slots);
    }

    /** A number as 32 bytes. */
    static Hash32 word(BigInteger number) {
        String digits = number.toString(16);
        return Hash32.fromHex("0x" + "0".repeat(64 - digits.length()) + digits);
    }

    private static JsonNode read(String path) {
        try (InputStream in = Objects.requireNonNull(RecordedProof.class.getResourceAsStream(path), path)) {
            return new JsonMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Bytes> nodes(JsonNode array) {
        List<Bytes> nodes = new ArrayList<>();
        array.forEach(node -> nodes.add(Bytes.fromHex(node.stringValue())));
        return nodes;
    }

    private static Hash32 hash(JsonNode json, String name) {
        return Hash32.fromHex(text(json, name));
    }

    private static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }
}
