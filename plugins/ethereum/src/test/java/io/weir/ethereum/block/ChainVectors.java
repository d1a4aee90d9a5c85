package io.weir.ethereum.block;

import io.weir.ethereum.rlp.RlpReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The chain in the test resources, made by others (see the folder's {@code SOURCE.md}). */
final class ChainVectors {
    private static final JsonMapper JSON = new JsonMapper();

    private ChainVectors() {}

    static byte[] chainRlp() {
        try (InputStream in = open("chain.rlp")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Block> chain() {
        RlpReader reader = RlpReader.of(chainRlp());
        List<Block> blocks = new ArrayList<>();
        while (reader.hasNext()) {
            blocks.add(Block.read(reader));
        }
        return blocks;
    }

    /** {@code blocks}: the 54 blocks in order; {@code uncles}: by block number. */
    static JsonNode blocks() {
        try (InputStream in = open("blocks.json")) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By block number. */
    static JsonNode receipts() {
        try (InputStream in = new GZIPInputStream(open("receipts.json.gz"))) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode genesis() {
        try (InputStream in = open("genesis.json")) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(ChainVectors.class.getResourceAsStream("/ethereum-chain/" + name), name);
    }
}
