package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.verify.Verification.Kind;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Proofs of blocks of Polygon that list a state sync. */
class StateSyncProofTest {

    private static FamilyVectors withStateSync() {
        return StateSyncBlock.of(FamilyVectors.read("polygon-50000000"));
    }

    @Test
    void aStateSyncOfPolygonLeavesItsBlockProven() {
        FamilyVectors vectors = withStateSync();
        assertThat(vectors.block(ChainFamily.POLYGON).kind()).isEqualTo(Kind.PROVEN);
        assertThat(vectors.receipts(ChainFamily.POLYGON).kind()).isEqualTo(Kind.PROVEN);
        StateSyncBlock.addReceipt(vectors);
        assertThat(vectors.receipts(ChainFamily.POLYGON))
                .isEqualTo(new Verification.Unprovable<>("the receipt of a state sync is in no root"));
        vectors.receipt(3).put("gasUsed", "0x1");
        assertThat(vectors.receipts(ChainFamily.POLYGON).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aStateSyncWithAnotherHashMakesItsBlockWrong() {
        FamilyVectors vectors = withStateSync();
        vectors.transaction(StateSyncBlock.INDEX).put("hash", "0x" + "ab".repeat(32));
        assertThat(vectors.block(ChainFamily.POLYGON).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aBlockWithoutTransactionsListsNoHashButThatOfItsStateSync() {
        ObjectNode block = FamilyVectors.read("polygon-50000000").completed().block();
        block.put("transactionsRoot", TrieRoot.EMPTY.hex());
        BlockHeaderBuilder header = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            if (block.has(field.jsonName())) {
                header.hex(field, block.get(field.jsonName()).stringValue());
            }
        }
        block.put("hash", header.build().hash().hex());
        block.putArray("transactions").add("0x" + "ab".repeat(32));
        assertThat(BlockProof.block(block, null, ChainFamily.POLYGON).detail()).startsWith("transactions: ");
        block.putArray("transactions").add(StateSyncBlock.hash(block));
        assertThat(BlockProof.block(block, null, ChainFamily.POLYGON).kind()).isEqualTo(Kind.PROVEN);
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void theTransactionOfAStateSyncIsUnprovable() {
        JsonNode transaction =
                FamilyVectors.read("polygon-dev-state-sync-legacy").transaction(0);
        assertThat(TransactionProof.check(transaction, null, ChainFamily.POLYGON)
                        .kind())
                .isEqualTo(Kind.UNPROVABLE);
        assertThat(TransactionProof.check(transaction, null, ChainFamily.ETHEREUM)
                        .kind())
                .as("nobody signed it")
                .isEqualTo(Kind.UNVERIFIABLE);
    }

    @Test
    void aStateSyncSincePip74MakesItsBlockUnprovable() {
        FamilyVectors vectors = withStateSync();
        StateSyncBlock.makeTyped(vectors);
        assertThat(vectors.block(ChainFamily.POLYGON).kind()).isEqualTo(Kind.UNPROVABLE);
        vectors.transaction(5).put("value", "0x7");
        assertThat(vectors.block(ChainFamily.POLYGON).kind()).isEqualTo(Kind.WRONG);
    }
}
