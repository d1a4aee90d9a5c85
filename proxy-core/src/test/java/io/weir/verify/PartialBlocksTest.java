package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.verify.Verification.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Recorded blocks without their headers: their transactions are proven, the blocks are not. */
class PartialBlocksTest {

    @Test
    void theTransactionsOfLineaHaveTheRecordedRoot() throws Exception {
        FamilyVectors vectors = FamilyVectors.read("linea-861353-partial").withoutPlaces();
        vectors.derived(ChainFamily.ETHEREUM);
        String root = vectors.block().get("transactionsRoot").stringValue();
        assertThat(root(vectors, ChainFamily.ETHEREUM)).isEqualTo(root);
        vectors.transactions().remove(59);
        assertThat(root(vectors, ChainFamily.ETHEREUM)).isNotEqualTo(root);
    }

    @Test
    void aBlockOfLineaWithoutItsHashIsUnproven() {
        FamilyVectors vectors = FamilyVectors.read("linea-861353-partial");
        assertThat(vectors.block(ChainFamily.ETHEREUM))
                .isEqualTo(new Verification.Unverifiable<>("a pending block has no hash yet"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"celo-mainnet-31071493-raw", "celo-sepolia-2346450-raw"})
    void theTransactionsOfCeloAreEncodedAsRecorded(String name) throws Exception {
        FamilyVectors vectors = FamilyVectors.read(name).decoded().derived(ChainFamily.CELO);
        JsonNode recorded = FamilyVectors.read(name).block().get("rawTransactions");
        int index = 0;
        for (JsonNode one : vectors.transactions()) {
            assertThat(TransactionProof.check(one, null, ChainFamily.CELO).kind())
                    .isEqualTo(Kind.PROVEN);
            assertThat(Bytes.wrap(encoded(one, ChainFamily.CELO)).hex())
                    .isEqualTo(recorded.get(index++).stringValue());
        }
        String root = vectors.block().get("transactionsRoot").stringValue();
        assertThat(root(vectors, ChainFamily.CELO)).isEqualTo(root);
    }

    @ParameterizedTest
    @ValueSource(strings = {"celo-mainnet-31071493-raw", "celo-sepolia-2346450-raw"})
    void aBlockOfCeloWithoutItsHeaderIsUnproven(String name) {
        FamilyVectors vectors = FamilyVectors.read(name).decoded();
        Verification<ProvenBlock> result = vectors.block(ChainFamily.CELO);
        assertThat(result.kind()).isEqualTo(Kind.UNVERIFIABLE);
        assertThat(result.detail()).contains("by a rule that is not tested");
    }

    @ParameterizedTest
    @ValueSource(strings = {"celo-mainnet-31071493-raw", "celo-sepolia-2346450-raw"})
    void theHeaderOfTheParentOfABlockOfCeloIsProvenWithEachMember(String name) {
        FamilyVectors vectors = FamilyVectors.read(name);
        ObjectNode parent = (ObjectNode) vectors.tree().get("parentHeader");
        JsonNode hash = vectors.block().get("parentHash");
        parent.set("hash", hash);
        Hash32 asked = Hash32.fromHex(hash.stringValue());
        assertThat(BlockProof.uncle(parent, asked, ChainFamily.CELO).kind()).isEqualTo(Kind.PROVEN);
        for (Lie lie : Lie.about(parent)) {
            lie.tell().run();
            assertThat(BlockProof.uncle(parent, asked, ChainFamily.CELO).kind())
                    .as(lie.toString())
                    .isNotEqualTo(Kind.PROVEN);
            lie.takeBack().run();
        }
    }

    private static String root(FamilyVectors vectors, ChainFamily family) throws Exception {
        List<byte[]> leaves = new ArrayList<>();
        for (JsonNode one : vectors.transactions()) {
            leaves.add(encoded(one, family));
        }
        return TrieRoot.ofList(leaves).hex();
    }

    private static byte[] encoded(JsonNode transaction, ChainFamily family) throws Exception {
        return TransactionProof.hashed(new ObjectMembers(transaction, ""), family, false)
                .encoded();
    }
}
