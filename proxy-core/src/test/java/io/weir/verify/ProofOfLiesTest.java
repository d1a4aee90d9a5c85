package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import io.weir.verify.ReceiptsProof.ChainReceipt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells every lie about every object of a chain: each is caught, but for the members that no hash covers, named here. */
@Execution(ExecutionMode.CONCURRENT)
class ProofOfLiesTest {

    /** One for each test: they run at once, and tell their lies in its trees. */
    private final ChainVectors chain = new ChainVectors();

    /** Absent is as good as empty: an uncle has none. */
    private static final String LIST_OF_AN_UNCLE = ".uncles";

    /** Told of one object; of a larger one a sample. */
    private static final int MAX_LIES = 1000;

    /** Of a list of receipts of many megabytes. */
    private static final int MAX_LIES_OF_A_LARGE_ONE = 12;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @Test
    void everyBlockOfTheChainIsProvenWhole() {
        for (ObjectNode block : chain.blocks()) {
            ProvenBlock proven = proven(BlockProof.block(block, hash(block), ChainFamily.ETHEREUM));
            assertThat(proven.transactions()).hasSize(block.get("transactions").size());
            assertThat(proven.unclesProven()).isEqualTo(block.get("uncles").isEmpty());
            assertThat(proven.hash().hex()).isEqualTo(block.get("hash").stringValue());
        }
    }

    @Test
    void theReceiptsOfEveryBlockAreProven() {
        for (ObjectNode block : chain.blocks()) {
            List<ChainReceipt> receipts = proven(receipts(block).apply(chain.receipts(block)));
            assertThat(receipts).hasSize(block.get("transactions").size());
        }
    }

    @Test
    void aLieAboutABlockIsCaught() {
        for (ObjectNode block : chain.blocks()) {
            Hash32 asked = hash(block);
            everyLieIsCaught(
                    block, tree -> withUncles(BlockProof.block(tree, asked, ChainFamily.ETHEREUM), tree), block);
        }
    }

    @Test
    void aLieAboutAnUncleIsCaught() {
        assertThat(chain.uncles()).hasSize(18);
        for (ObjectNode uncle : chain.uncles()) {
            Hash32 asked = hash(uncle);
            assertThat(BlockProof.uncle(uncle, asked, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Proven.class);
            everyLieIsCaught(uncle, tree -> BlockProof.uncle(tree, asked, ChainFamily.ETHEREUM), uncle);
        }
    }

    @Test
    void aLieAboutReceiptsIsCaught() {
        for (ObjectNode block : chain.blocks()) {
            ArrayNode receipts = chain.receipts(block);
            JsonNode first = receipts.isEmpty() ? block : receipts.get(0);
            everyLieIsCaught(receipts, receipts(block), (ObjectNode) first);
        }
    }

    @Test
    void aLieAboutALoneTransactionsSignedFieldsIsCaught() {
        Set<String> place = Set.of("blockHash", "blockNumber", "transactionIndex", "blockTimestamp");
        for (ObjectNode block : chain.blocks()) {
            for (JsonNode item : block.get("transactions")) {
                ObjectNode transaction = (ObjectNode) item;
                Hash32 asked = hash(transaction);
                assertThat(TransactionProof.check(transaction, asked, ChainFamily.ETHEREUM))
                        .isInstanceOf(Verification.Proven.class);
                boolean priceIsSigned = Integer.decode(transaction.get("type").stringValue()) < 2;
                for (Lie lie : Lie.about(transaction)) {
                    if (!place.contains(lie.member())
                            && (priceIsSigned || !lie.member().equals("gasPrice"))) {
                        caught(
                                lie,
                                () -> TransactionProof.check(transaction, asked, ChainFamily.ETHEREUM),
                                transaction);
                    }
                }
            }
        }
    }

    @Test
    void theAddressOfAContractThatWasCreatedMustBeThere() {
        int seen = 0;
        for (ObjectNode block : chain.blocks()) {
            ArrayNode receipts = chain.receipts(block);
            for (JsonNode receipt : receipts) {
                if (receipt.hasNonNull("contractAddress")
                        && receipt.path("status").asString("").equals("0x1")) {
                    JsonNode address = ((ObjectNode) receipt).remove("contractAddress");
                    assertThat(receipts(block).apply(receipts)).isInstanceOf(Verification.Wrong.class);
                    ((ObjectNode) receipt).set("contractAddress", address);
                    seen++;
                }
            }
        }
        assertThat(seen).isPositive();
    }

    @Test
    void aBlockWithHashesOnlyHasItsHeaderProvenAndNoMore() {
        for (ObjectNode block : chain.blocks()) {
            ObjectNode hashesOnly = block.deepCopy();
            ArrayNode hashes = hashesOnly.putArray("transactions");
            block.get("transactions").forEach(one -> hashes.add(one.get("hash")));
            ProvenBlock proven = proven(BlockProof.block(hashesOnly, hash(block), ChainFamily.ETHEREUM));
            assertThat(proven.transactions() == null).isEqualTo(!hashes.isEmpty());
            assertThat(proven.whole())
                    .isEqualTo(hashes.isEmpty() && block.get("uncles").isEmpty());
        }
    }

    @Test
    void aListOfUnclesIsProvenByTheirHeadersInOrder() {
        int seen = 0;
        for (ObjectNode block : chain.blocks()) {
            List<ObjectNode> uncles = chain.uncles(block);
            if (uncles.isEmpty()) {
                continue;
            }
            seen += uncles.size();
            ProvenBlock known = proven(BlockProof.block(block, null, ChainFamily.ETHEREUM));
            List<RawJson> json = new ArrayList<>(
                    uncles.stream().map(uncle -> RawJson.of(uncle.toString())).toList());
            assertThat(isProven(known, json)).isTrue();
            assertThat(isProven(known, Collections.nCopies(json.size() + 1, json.get(0))))
                    .isFalse();
            json.remove(0);
            assertThat(isProven(known, json)).isFalse();
        }
        assertThat(seen).isEqualTo(18);
    }

    @Test
    void anUnknownMemberChangesNothingWhereTheKnownOnesProveTheHash() {
        for (ObjectNode block : chain.blocks()) {
            ObjectNode more = block.deepCopy();
            more.put("l1BlockNumber", "0x1");
            more.get("transactions").forEach(one -> ((ObjectNode) one).put("queueIndex", "0x1"));
            assertThat(BlockProof.block(more, hash(block), ChainFamily.ETHEREUM))
                    .isInstanceOf(Verification.Proven.class);
        }
    }

    @Test
    void aTransactionOfATypeThatIsNotKnownMakesItsBlockUnverifiable() {
        ObjectNode block = chain.blocks().stream()
                .filter(one -> !one.get("transactions").isEmpty())
                .findFirst()
                .orElseThrow()
                .deepCopy();
        ((ObjectNode) block.get("transactions").get(0)).put("type", "0x7e");
        assertThat(BlockProof.block(block, hash(block), ChainFamily.ETHEREUM))
                .isInstanceOfSatisfying(
                        Verification.Unverifiable.class,
                        found -> assertThat(found.detail()).contains("0x7e"));
    }

    @Test
    void aPendingBlockIsUnverifiable() {
        ObjectNode block = chain.blocks().get(0).deepCopy();
        block.putNull("hash");
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Unverifiable.class);
    }

    private void everyLieIsCaught(
            JsonNode tree, Function<JsonNode, ? extends Verification<?>> check, ObjectNode holderOfMore) {
        List<Lie> lies = new ArrayList<>(Lie.about(tree));
        Collections.shuffle(lies, random);
        int most = tree.toString().length() > 1_000_000 ? MAX_LIES_OF_A_LARGE_ONE : MAX_LIES;
        for (Lie lie : lies.subList(0, Math.min(lies.size(), most))) {
            caught(lie, () -> check.apply(tree), holderOfMore);
        }
        assertThat(check.apply(tree)).as("after all lies were taken back").isInstanceOf(Verification.Proven.class);
    }

    private void caught(Lie lie, Supplier<? extends Verification<?>> check, ObjectNode holderOfMore) {
        boolean mayPass = Lie.UNCOVERED.contains(lie.member())
                || lie.kind() == Lie.Kind.ABSENT && Lie.MAY_BE_ABSENT.contains(lie.member())
                || lie.kind() == Lie.Kind.ABSENT
                        && lie.path().equals(LIST_OF_AN_UNCLE)
                        && !holderOfMore.has("transactions");
        lie.tell().run();
        try {
            if (!mayPass) {
                Verification<?> found = check.get();
                // Before London nobody knows whether the receipts lack the roots of before Byzantium.
                boolean isOld = found.detail().endsWith("without the roots of states") && !holderOfMore.has("root");
                assertThat(found.kind())
                        .as("%s, seed %s", lie, seed)
                        .isEqualTo(isOld ? Verification.Kind.UNVERIFIABLE : Verification.Kind.WRONG);
            }
            holderOfMore.put("memberFromTheFuture", "0x1");
            Verification<?> found = check.get();
            if (!mayPass) {
                assertThat(found)
                        .as("%s beside an unknown member, seed %s", lie, seed)
                        .isNotInstanceOf(Verification.Proven.class);
            }
        } finally {
            holderOfMore.remove("memberFromTheFuture");
            lie.takeBack().run();
        }
    }

    /** A list of uncles is held against the uncles' own headers. */
    private Verification<ProvenBlock> withUncles(Verification<ProvenBlock> finding, JsonNode block) {
        if (!(finding instanceof Verification.Proven<ProvenBlock> proven)
                || proven.value().unclesProven()) {
            return finding;
        }
        List<RawJson> uncles = chain.uncles(block).stream()
                .map(uncle -> RawJson.of(uncle.toString()))
                .toList();
        return isProven(proven.value(), uncles) ? finding : new Verification.Wrong<>("uncles");
    }

    private static boolean isProven(ProvenBlock block, List<RawJson> uncles) {
        return AnswerProof.withUncles(block, uncles, ChainFamily.ETHEREUM) instanceof Verification.Proven;
    }

    private static Function<JsonNode, Verification<List<ChainReceipt>>> receipts(ObjectNode block) {
        ProvenBlock proven = proven(BlockProof.block(block, null, ChainFamily.ETHEREUM));
        List<ProvenTransaction> transactions = proven.transactions();
        assertThat(transactions).isNotNull();
        return tree -> ReceiptsProof.check(tree, proven, ChainFamily.ETHEREUM);
    }

    private static Hash32 hash(JsonNode object) {
        return Hash32.fromHex(object.get("hash").stringValue());
    }

    private static <T> T proven(Verification<T> finding) {
        assertThat(finding).isInstanceOf(Verification.Proven.class);
        return ((Verification.Proven<T>) finding).value();
    }
}
