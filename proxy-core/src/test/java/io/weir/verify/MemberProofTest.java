package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hex;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.verify.ShadowMembers.Shadowed;
import io.weir.verify.Verification.Kind;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Members that a proven answer may have. */
class MemberProofTest {

    private static final ChainVectors CHAIN = new ChainVectors();
    private static final int MAX_RECEIPTS = 20;
    private static final int DRAWS = 1_500;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final ShadowMembers shadows = new ShadowMembers(random);

    private ObjectNode someBlock() {
        List<ObjectNode> blocks = CHAIN.blocks().stream()
                .filter(block -> block.get("uncles").isEmpty()
                        && !block.get("transactions").isEmpty()
                        && block.get("transactions").size() < MAX_RECEIPTS)
                .toList();
        return blocks.get(random.nextInt(blocks.size()));
    }

    private static Verification<?> check(AnswerKind kind, String json, ChainRules rules) {
        return AnswerProof.check(kind, RawJson.of(json), null, rules);
    }

    private static Verification<?> receipts(String json, JsonNode block, ChainRules rules) {
        RawJson whole = RawJson.of(block.toString());
        return AnswerProof.checkReceipts(
                RawJson.of(json), whole, block.get("hash").stringValue(), rules);
    }

    @Test
    void aMemberWhoseNameDiffersFromAKnownOneInCaseAloneMakesAnyAnswerWrong() {
        for (int i = 0; i < DRAWS; i++) {
            ObjectNode block = someBlock();
            JsonNode transactions = block.get("transactions");
            JsonNode transaction = transactions.get(random.nextInt(transactions.size()));
            Shadowed shadowed;
            Verification<?> result;
            switch (random.nextInt(3)) {
                case 0 -> {
                    shadowed = shadows.add(block, ObjectForm.BLOCK);
                    result = check(AnswerKind.BLOCK, shadowed.json(), ChainRules.ETHEREUM);
                }
                case 1 -> {
                    shadowed = shadows.add(transaction, ObjectForm.TRANSACTION);
                    result = check(AnswerKind.TRANSACTION, shadowed.json(), ChainRules.ETHEREUM);
                }
                default -> {
                    shadowed = shadows.add(CHAIN.receipts(block), ObjectForm.RECEIPT);
                    result = receipts(shadowed.json(), block, ChainRules.ETHEREUM);
                }
            }
            assertThat(result.kind()).as("%s, seed %d", shadowed, seed).isEqualTo(Kind.WRONG);
        }
    }

    @Test
    void aShadowIsWrongAlsoBesideAMemberThatIsNotKnown() {
        ObjectNode block = someBlock().deepCopy();
        block.put("memberFromTheFuture", "0x1");
        block.put("STATEROOT", "0x1");
        assertThat(check(AnswerKind.BLOCK, block.toString(), ChainRules.ETHEREUM))
                .isEqualTo(new Verification.Wrong<>("stateRoot: another (expected: none in another case)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u017ftatus", "\\u0053tatus", "\\u017ftatu\\u017f", "STATUS", "statu\u0053"})
    void readersOfGoTakeTheseForTheStatus(String name) {
        ObjectNode block = someBlock();
        String json = CHAIN.receipts(block)
                .toString()
                .replaceFirst("\\{", "{\"" + name.replace("\\", "\\\\") + "\":\"0x0\",");
        assertThat(receipts(json, block, ChainRules.ETHEREUM).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void aNameThatStandsTwiceIsWrongHoweverItIsEscaped() {
        ObjectNode block = someBlock();
        String json = CHAIN.receipts(block).toString().replaceFirst("\\{", "{\"\\\\u0067asUsed\":\"0x0\",");
        assertThat(receipts(json, block, ChainRules.ETHEREUM).kind()).isEqualTo(Kind.WRONG);
    }

    @Test
    void anUnlistedMemberAtAnyPositionMakesARightAnswerUnlisted() {
        for (int i = 0; i < 200; i++) {
            ObjectNode block = someBlock();
            String named = shadows.addNamed(block, ObjectForm.BLOCK, "evil");
            assertThat(check(AnswerKind.BLOCK, named, ChainRules.ETHEREUM).kind())
                    .as("seed %d", seed)
                    .isEqualTo(Kind.UNLISTED);
            String receipts = shadows.addNamed(CHAIN.receipts(block), ObjectForm.RECEIPT, "evil");
            assertThat(receipts(receipts, block, ChainRules.ETHEREUM).kind())
                    .as("seed %d", seed)
                    .isEqualTo(Kind.UNLISTED);
        }
    }

    private static ChainRules chain(String id, String... members) {
        return new ChainRules(ChainFamily.ETHEREUM, MemberNames.of(ChainFamily.ETHEREUM, id, Set.of(members)));
    }

    @Test
    void theListIsOfTheChainAndOfTheConfiguration() {
        ObjectNode block = someBlock();
        String fee = shadows.addNamed(CHAIN.receipts(block), ObjectForm.RECEIPT, "l1Fee");
        assertThat(receipts(fee, block, chain("1")).kind()).isEqualTo(Kind.UNLISTED);
        assertThat(receipts(fee, block, chain("10")).kind()).isEqualTo(Kind.PROVEN);
        assertThat(receipts(fee, block, chain("1", "l1Fee")).kind()).isEqualTo(Kind.PROVEN);
        assertThat(receipts(fee.replace("l1Fee", "L1Fee"), block, chain("10")).kind())
                .isEqualTo(Kind.UNLISTED);
    }

    @Test
    void aMemberThatItsTypeDoesNotHaveIsProvenTooOrWrong() {
        for (ObjectNode block : CHAIN.blocks()) {
            ArrayNode transactions = (ArrayNode) block.get("transactions");
            for (int i = 0; i < Math.min(transactions.size(), 3); i++) {
                ObjectNode transaction = (ObjectNode) transactions.get(i);
                for (String name : ObjectForm.TRANSACTION.covered()) {
                    boolean list = name.endsWith("List") || name.endsWith("Hashes");
                    if (!transaction.has(name) && !list) {
                        transaction.put(name, "0x7");
                        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM))
                                .as("%s in %s", name, transaction)
                                .isInstanceOf(Verification.Wrong.class);
                        transaction.remove(name);
                    }
                }
            }
        }
    }

    @Test
    void theBytesOfATransactionAreComparedWithItsFields() {
        ObjectNode block = someBlock().deepCopy();
        ObjectNode transaction = (ObjectNode) block.get("transactions").get(0);
        ProvenBlock proven =
                ((Verification.Proven<ProvenBlock>) BlockProof.block(block, null, ChainFamily.ETHEREUM)).value();
        ChainTransaction signed = proven.transaction(0).transaction();
        transaction.put("raw", Hex.encode(signed.encoded()));
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Proven.class);
        transaction.put("raw", Hex.encode(signed.encoded()).replaceFirst(".$", "0"));
        transaction.put("publicKey", "0x" + "11".repeat(64));
        assertThat(check(AnswerKind.TRANSACTION, transaction.toString(), ChainRules.ETHEREUM)
                        .kind())
                .isEqualTo(Kind.WRONG);
    }
}
