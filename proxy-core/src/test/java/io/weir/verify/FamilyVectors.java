package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.testing.Checkout;
import io.weir.verify.ReceiptsProof.ChainReceipt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
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

    private static final List<String> PLACE = List.of("blockHash", "blockNumber", "transactionIndex");
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
        if (block.has("step")) {
            // A test of the source added these.
            block.remove(List.of("withdrawals", "withdrawalsRoot"));
        }
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

    /** Puts in the senders and prices that follow from the signed fields, if the source lacks them and nodes send them. */
    FamilyVectors derived(ChainFamily family) {
        for (JsonNode item : transactions()) {
            ObjectNode transaction = (ObjectNode) item;
            if (!transaction.has("from")) {
                transaction.put("from", signer(transaction, family));
            }
            if (!transaction.has("gasPrice") && transaction.has("maxFeePerGas") && block().has("baseFeePerGas")) {
                BigInteger tipped = quantity(block(), "baseFeePerGas").add(quantity(item, "maxPriorityFeePerGas"));
                transaction.put("gasPrice", Quantity.encode(tipped.min(quantity(item, "maxFeePerGas"))));
            }
        }
        return this;
    }

    /** Decodes the transactions of a source that has their bytes. */
    FamilyVectors decoded() {
        JsonNode hashes = block().remove("transactionHashes");
        JsonNode all = block().remove("rawTransactions");
        ArrayNode decoded = block().putArray("transactions");
        for (JsonNode raw : all) {
            JsonNode hash = hashes.get(decoded.size());
            ObjectNode transaction = RawTransactions.read(Bytes.fromHex(raw.stringValue()));
            transaction.set("hash", hash);
            decoded.add(transaction);
        }
        return this;
    }

    /** Takes the transactions out of their blocks. */
    FamilyVectors withoutPlaces() {
        transactions().forEach(one -> ((ObjectNode) one).remove(PLACE));
        return this;
    }

    private static BigInteger quantity(JsonNode object, String name) {
        return Quantity.decode(object.get(name).stringValue());
    }

    private static String signer(JsonNode transaction, ChainFamily family) {
        try {
            ChainTransaction read = TransactionProof.hashed(new ObjectMembers(transaction, ""), family, false);
            Address signer = read instanceof ChainTransaction.OfFamily own
                    ? Secp256k1.recover(own.signing().hash(), own.signing().signature(), SignatureRule.LOW_S)
                    : ((ChainTransaction.OfEthereum) read).transaction().sender();
            return signer.hex();
        } catch (UnprovenException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    Verification<ProvenBlock> block(ChainFamily family) {
        return BlockProof.block(block(), null, family);
    }

    Verification<List<ChainReceipt>> receipts(ChainFamily family) {
        ProvenBlock proven = ((Verification.Proven<ProvenBlock>) block(family)).value();
        return ReceiptsProof.check(receipts(), proven, family);
    }
}
