package io.weir.verify;

import io.weir.testing.Checkout;
import io.weir.verify.family.ChainFamily;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Recorded data of one chain; see the readme beside the files.
 *
 * @param tree the whole file
 */
public record FamilyVectors(ObjectNode tree) {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Path FOLDER = Checkout.find().root().resolve("proxy-core/src/test/resources/chain-families");

    public static FamilyVectors read(String name) {
        Path plain = FOLDER.resolve(name + ".json");
        Path zipped = FOLDER.resolve(name + ".json.gz");
        try (InputStream in =
                Files.exists(plain) ? Files.newInputStream(plain) : new GZIPInputStream(Files.newInputStream(zipped))) {
            return new FamilyVectors((ObjectNode) MAPPER.readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ObjectNode block() {
        return (ObjectNode) tree.get("block");
    }

    public ArrayNode receipts() {
        return (ArrayNode) tree.get("receipts");
    }

    public ArrayNode transactions() {
        JsonNode alone = tree.get("transactions");
        return (ArrayNode) (alone == null ? block().get("transactions") : alone);
    }

    public ObjectNode transaction(int index) {
        return (ObjectNode) transactions().get(index);
    }

    public ObjectNode receipt(int index) {
        return (ObjectNode) receipts().get(index);
    }

    /** Puts back the members that a conversion of the source left out, and that nodes send. */
    public FamilyVectors completed() {
        ObjectNode block = block();
        if (!block.has("uncles")) {
            block.putArray("uncles");
        }
        // A tool of the source added it.
        block.remove("sealFields");
        for (JsonNode item : block.get("transactions")) {
            ObjectNode transaction = (ObjectNode) item;
            transaction.set("blockHash", block.get("hash"));
            transaction.set("blockNumber", block.get("number"));
            if (!transaction.has("from") && transaction.has("sender")) {
                transaction.set("from", transaction.get("sender"));
            }
        }
        return this;
    }

    Verification<ProvenBlock> block(ChainFamily family) {
        return BlockProof.block(block(), null, family);
    }

    Verification<List<ChainReceipt>> receipts(ChainFamily family) {
        ProvenBlock proven = ((Verification.Proven<ProvenBlock>) block(family)).value();
        return ReceiptsProof.check(receipts(), proven, family);
    }
}
