package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import io.weir.verify.Verification.Kind;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Proofs of recorded data of chains, each by the rules of its family. */
class FamilyProofTest {

    private static Verification<ProvenTransaction> check(JsonNode transaction, ChainFamily family) {
        return TransactionProof.check(transaction, null, family);
    }

    private static void assertProven(Verification<?> result) {
        assertThat(result.kind()).as(result.detail()).isEqualTo(Kind.PROVEN);
    }

    @ParameterizedTest
    @CsvSource({
        "op-mainnet-154497277, OP",
        "op-mainnet-107728767, OP",
        "op-sepolia-17664000, OP",
        "arbitrum-one-150000000, ARBITRUM",
        "polygon-50000000, POLYGON",
        "scroll-devnet-5343513301-1, SCROLL",
        "hyperevm-50000, ETHEREUM"
    })
    void aRecordedBlockIsProvenByTheRulesOfItsFamily(String name, ChainFamily family) {
        FamilyVectors vectors = FamilyVectors.read(name).completed();
        vectors.transactions().forEach(one -> lackingPrice((ObjectNode) one));
        assertProven(vectors.block(family));
        if (vectors.tree().has("receipts")) {
            assertProven(vectors.receipts(family));
        }
    }

    /** The source of this block has no price of Scroll's message, which nodes show as 0. */
    private static void lackingPrice(ObjectNode transaction) {
        if (!transaction.has("gasPrice")) {
            transaction.put("gasPrice", "0x0");
        }
    }

    @Test
    void aBlockOfTheOpStackNeedsNoListOfWithdrawals() {
        FamilyVectors vectors = FamilyVectors.read("op-mainnet-154497277");
        vectors.block().remove("withdrawals");
        assertProven(vectors.block(ChainFamily.OP));
        vectors.block().putArray("withdrawals").addObject();
        assertThat(vectors.block(ChainFamily.OP).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void theNonceOfADepositIsProvenSinceItsReceiptHasAVersion() {
        FamilyVectors vectors = FamilyVectors.read("op-mainnet-154497277");
        vectors.receipt(0).put("depositNonce", "0x2efaea7");
        assertThat(vectors.receipts(ChainFamily.OP).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aDepositsReceiptWithoutItsVersionIsNeitherProvenNorWrong() {
        FamilyVectors vectors = FamilyVectors.read("op-mainnet-154497277");
        vectors.receipt(0).remove("depositReceiptVersion");
        assertThat(vectors.receipts(ChainFamily.OP).kind()).isEqualTo(Kind.UNVERIFIABLE);
    }

    @Test
    void aSystemFlagAndAMintOfNothingMayBeMissing() {
        ObjectNode deposit = FamilyVectors.read("op-mainnet-154497277").transaction(0);
        assertThat(deposit.has("isSystemTx")).isFalse();
        assertThat(deposit.get("mint").stringValue()).isEqualTo("0x0");
        deposit.putNull("mint").put("isSystemTx", false);
        assertProven(check(deposit, ChainFamily.OP));
        deposit.put("isSystemTx", true);
        assertThat(check(deposit, ChainFamily.OP).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aBlockOfArbitrumWithoutItsInternalTransactionIsWrong() {
        FamilyVectors vectors = FamilyVectors.read("arbitrum-one-150000000");
        vectors.transactions().remove(0);
        int index = 0;
        for (JsonNode one : vectors.transactions()) {
            ((ObjectNode) one).put("transactionIndex", "0x" + index++);
        }
        assertThat(vectors.block(ChainFamily.ARBITRUM))
                .isInstanceOfSatisfying(
                        Verification.Wrong.class,
                        wrong -> assertThat(wrong.detail()).startsWith("transactionsRoot"));
    }

    @ParameterizedTest
    @CsvSource({
        "sendRoot, 0x4cb7dd12349a993663fbdb2ff9a9dd458df4a0a0087c5946f29f26df0086b588",
        "sendCount, 0x17a28",
        "l1BlockNumber, 0x11b3fb4"
    })
    void theMembersThatArbitrumAddsToABlockAreCompared(String member, String other) {
        FamilyVectors vectors = FamilyVectors.read("arbitrum-one-150000000");
        vectors.block().put(member, other);
        assertThat(vectors.block(ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void retryableTransactionsOfArbitrumAreProvenByTheirHash() {
        for (JsonNode one :
                FamilyVectors.read("arbitrum-one-retryable-0x69-0x68").transactions()) {
            ObjectNode transaction = (ObjectNode) one;
            assertProven(check(transaction, ChainFamily.ARBITRUM));
            JsonNode input = transaction.get("input");
            transaction.put("input", input.stringValue().replaceFirst("..$", "07"));
            assertThat(check(transaction, ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.WRONG);
            transaction.set("input", input);
            JsonNode refundTo = transaction.remove("refundTo");
            assertThat(check(transaction, ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.UNVERIFIABLE);
            transaction.set("refundTo", refundTo);
            transaction.put("from", "0x" + "ab".repeat(20));
            assertThat(check(transaction, ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.WRONG);
        }
    }

    @Test
    void aTransactionFromBeforeNitroIsUnprovable() {
        ObjectNode transaction = FamilyVectors.read("arbitrum-one-150000000").transaction(1);
        transaction.put("type", "0x78");
        assertThat(check(transaction, ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.UNPROVABLE);
        FamilyVectors vectors = FamilyVectors.read("arbitrum-one-150000000");
        vectors.transaction(1).put("type", "0x78");
        assertThat(vectors.block(ChainFamily.ARBITRUM).kind()).isEqualTo(Kind.UNVERIFIABLE);
    }

    @Test
    void anUnsignedTransactionOfTheOpStackIsUnprovableOnlyWhereItsBlockMayBeFromBeforeBedrock() {
        FamilyVectors vectors = FamilyVectors.read("op-mainnet-107728767");
        ObjectNode legacy = (ObjectNode) vectors.transactions()
                .valueStream()
                .filter(one -> one.get("type").stringValue().equals("0x0"))
                .findFirst()
                .orElseThrow();
        legacy.put("r", "0x0").put("s", "0x0").put("v", "0x0");
        assertThat(check(legacy, ChainFamily.OP).kind()).isEqualTo(Kind.UNPROVABLE);
        assertThat(vectors.completed().block(ChainFamily.OP).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void theFeeCurrencyOfATransactionOfCeloIsProven() {
        for (JsonNode one : FamilyVectors.read("celo-mainnet-tx-0x7b").transactions()) {
            ObjectNode transaction = (ObjectNode) one;
            Verification<ProvenTransaction> result = check(transaction, ChainFamily.CELO);
            boolean recorded = transaction.hasNonNull("feeCurrency");
            // The sender of the other one was made up by its source.
            assertThat(result.kind()).as(result.detail()).isEqualTo(recorded ? Kind.PROVEN : Kind.WRONG);
            transaction.put("feeCurrency", "0x" + "ab".repeat(20));
            assertThat(check(transaction, ChainFamily.CELO).kind()).isEqualTo(Kind.WRONG);
        }
    }

    /** As in Ethereum's own types: some nodes show one of both, and the other one must not be wrong. */
    @Test
    void theSignatureOfATransactionOfCeloHasItsParityOrItsV() {
        ObjectNode transaction = (ObjectNode) FamilyVectors.read("celo-mainnet-tx-0x7b")
                .transactions()
                .valueStream()
                .filter(one -> one.hasNonNull("feeCurrency"))
                .findFirst()
                .orElseThrow();
        JsonNode parity = transaction.get("v");
        transaction.remove("yParity");
        assertProven(check(transaction, ChainFamily.CELO));
        transaction.set("yParity", parity);
        assertProven(check(transaction, ChainFamily.CELO));
        transaction.put("yParity", parity.stringValue().equals("0x0") ? "0x1" : "0x0");
        assertThat(check(transaction, ChainFamily.CELO).kind()).isEqualTo(Kind.WRONG);
        transaction.put("yParity", "0x2");
        assertThat(check(transaction, ChainFamily.CELO).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aSealOfAuraIsPartOfTheHeader() {
        FamilyVectors vectors = FamilyVectors.read("aura-sokol-3").completed();
        assertProven(vectors.block(ChainFamily.GNOSIS));
        vectors.block().put("step", "302674365");
        assertThat(vectors.block(ChainFamily.GNOSIS).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aBlockOfBnbSmartChainWithItsSystemTransactionIsProven() {
        FamilyVectors vectors = FamilyVectors.read("bsc-19410524").completed();
        assertProven(vectors.block(ChainFamily.BSC));
        vectors.transactions().remove(64);
        assertThat(vectors.block(ChainFamily.BSC).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aScrollBlockWithADynamicFeeIsProven() {
        FamilyVectors vectors =
                FamilyVectors.read("scroll-14919991").completed().derived(ChainFamily.SCROLL);
        assertProven(vectors.block(ChainFamily.SCROLL));
        vectors.block().put("gasUsed", "0x5209");
        assertThat(vectors.block(ChainFamily.SCROLL).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void theTypeByteAloneSelectsNoRule() {
        ObjectNode deposit = FamilyVectors.read("op-mainnet-154497277").transaction(0);
        ObjectNode message =
                FamilyVectors.read("scroll-devnet-5343513301-1").completed().transaction(0);
        assertThat(deposit.get("type")).isEqualTo(message.get("type"));
        assertThat(check(deposit, ChainFamily.SCROLL).kind()).isEqualTo(Kind.UNVERIFIABLE);
        assertThat(check(message, ChainFamily.OP).kind()).isEqualTo(Kind.UNVERIFIABLE);
        assertThat(check(message, ChainFamily.ETHEREUM).kind()).isEqualTo(Kind.UNVERIFIABLE);
    }

    @ParameterizedTest
    @CsvSource({"op-mainnet-154497277", "op-mainnet-107728767", "op-sepolia-17664000", "arbitrum-one-150000000"})
    void aBlockOfAnotherFamilyThanEthereumsIsNotWrongByItsRules(String name) {
        FamilyVectors vectors = FamilyVectors.read(name).completed();
        assertThat(vectors.block(ChainFamily.ETHEREUM).kind()).isEqualTo(Kind.UNVERIFIABLE);
        String hash = vectors.transaction(0).get("hash").stringValue();
        vectors.block().putArray("transactions").add(hash);
        assertThat(vectors.block(ChainFamily.ETHEREUM).kind()).isNotEqualTo(Kind.WRONG);
    }

    @ParameterizedTest
    @EnumSource(ChainFamily.class)
    void aTypeThatAFamilyDoesNotKnowIsNeverWrong(ChainFamily family) {
        Set<Kind> none = Set.of(Kind.UNVERIFIABLE, Kind.UNPROVABLE);
        for (int type = 5; type < 256; type++) {
            FamilyVectors vectors = FamilyVectors.read("hyperevm-50000");
            vectors.transaction(0).put("type", "0x" + Integer.toHexString(type));
            if (family.layout(type) == null) {
                assertThat(check(vectors.transaction(0), family).kind()).isIn(none);
                assertThat(vectors.block(family).kind()).isIn(none);
            }
        }
    }

    @Test
    void blocksOfZksyncAreUnprovable() {
        for (String name : new String[] {"zksync-era-35533", "zksync-era-2302499"}) {
            FamilyVectors vectors = FamilyVectors.read(name);
            assertThat(vectors.block(ChainFamily.ZKSYNC).kind()).isEqualTo(Kind.UNPROVABLE);
        }
        ObjectNode signed = FamilyVectors.read("zksync-era-35533").transaction(0);
        assertThat(check(signed, ChainFamily.ZKSYNC))
                .isEqualTo(new Verification.Unprovable<>(
                        "transaction type 0x71: a transaction with an EIP-712 signature"));
    }

    @Test
    void honestDataOfAChainWithoutRulesIsUnprovable() {
        FamilyVectors vectors = FamilyVectors.read("hedera-97395350-unprovable");
        RawJson block = RawJson.of(vectors.block().toString());
        ChainRules rules = new ChainRules(ChainFamily.NONE, MemberNames.ETHEREUM);
        String hash = vectors.block().get("hash").stringValue();
        assertThat(AnswerProof.check(AnswerKind.BLOCK, block, hash, rules).kind())
                .isEqualTo(Kind.UNPROVABLE);
        assertThat(AnswerProof.check(AnswerKind.HEADER, block, hash, rules).kind())
                .isEqualTo(Kind.UNPROVABLE);
        RawJson receipts = RawJson.of(vectors.receipts().toString());
        assertThat(AnswerProof.checkReceipts(receipts, block, hash, rules).kind())
                .isEqualTo(Kind.UNPROVABLE);
        for (JsonNode one : vectors.transactions()) {
            RawJson transaction = RawJson.of(one.toString());
            assertThat(AnswerProof.check(AnswerKind.TRANSACTION, transaction, null, rules)
                            .kind())
                    .isEqualTo(Kind.UNPROVABLE);
        }
    }

    @Test
    void receiptsFromBeforeCanyonHashNoNonce() throws UnprovenException {
        FamilyVectors vectors = FamilyVectors.read("op-receipts-regolith");
        String root = vectors.tree().get("expectedReceiptsRoot").stringValue();
        assertThat(LoneReceipts.root(vectors.receipts(), ChainFamily.OP)).isEqualTo(root);
        vectors.receipt(0).put("depositNonce", "0x1");
        assertThat(LoneReceipts.root(vectors.receipts(), ChainFamily.OP)).isEqualTo(root);
        vectors.receipt(0).put("depositReceiptVersion", "0x1");
        assertThat(LoneReceipts.root(vectors.receipts(), ChainFamily.OP)).isNotEqualTo(root);
    }

    @Test
    void aReceiptOfCeloHasItsBaseFeeAsAFifthItem() throws UnprovenException {
        FamilyVectors vectors = FamilyVectors.read("celo-cip64-receipt-encoding");
        JsonNode encodings = vectors.tree().get("encodings");
        int index = 0;
        for (JsonNode receipt : vectors.receipts()) {
            assertThat(LoneReceipts.receipt(receipt, ChainFamily.CELO).encoded())
                    .asHexString()
                    .isEqualToIgnoringCase(
                            encodings.get(index++).get("trieLeaf").stringValue().replace("0x", ""));
        }
    }
}
