package io.weir.verify;

import io.weir.testing.Checkout;
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

/** A chain of 54 blocks, of every fork from Frontier to Prague, as JSON-RPC shows it; see the readme beside the files. */
public final class ChainVectors {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Path FOLDER =
            Checkout.find().root().resolve("plugins/ethereum/src/test/resources/ethereum-chain");

    private final JsonNode blocks;
    private final JsonNode receipts;

    public ChainVectors() {
        try (InputStream zipped = Files.newInputStream(FOLDER.resolve("receipts.json.gz"))) {
            blocks = MAPPER.readTree(FOLDER.resolve("blocks.json"));
            receipts = MAPPER.readTree(new GZIPInputStream(zipped));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With full transactions. */
    public List<ObjectNode> blocks() {
        return blocks.get("blocks").valueStream().map(ObjectNode.class::cast).toList();
    }

    public ArrayNode receipts(JsonNode block) {
        return (ArrayNode) receipts.get(block.get("number").stringValue());
    }

    public List<ObjectNode> uncles() {
        return blocks.get("uncles")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .map(ObjectNode.class::cast)
                .toList();
    }

    public List<ObjectNode> uncles(JsonNode block) {
        JsonNode found = blocks.get("uncles").get(block.get("number").stringValue());
        return found == null
                ? List.of()
                : found.valueStream().map(ObjectNode.class::cast).toList();
    }
}
