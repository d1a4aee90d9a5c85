package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.testing.Checkout;
import io.weir.verify.Verification.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class AnswerProofTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Path BLOCKS =
            Checkout.find().root().resolve("plugins/ethereum/src/test/resources/ethereum-chain/blocks.json");

    private static List<ObjectNode> blocks() throws IOException {
        List<ObjectNode> blocks = new ArrayList<>();
        JSON.readTree(BLOCKS).get("blocks").forEach(block -> blocks.add((ObjectNode) block));
        return blocks;
    }

    private static Verification<?> check(AnswerKind kind, JsonNode answer, String asked) {
        return AnswerProof.check(kind, RawJson.of(answer.toString()), asked, ChainRules.ETHEREUM);
    }

    @Test
    void aBlockThatIsWholeIsProven() throws IOException {
        for (ObjectNode block : blocks()) {
            Kind expected = block.get("uncles").isEmpty() ? Kind.PROVEN : Kind.INCOMPLETE;
            Verification<?> result =
                    check(AnswerKind.BLOCK, block, block.get("hash").stringValue());
            assertThat(result.kind()).as(block.get("number").stringValue()).isEqualTo(expected);
            assertThat(result.parts()).isEqualTo(expected == Kind.PROVEN ? "header, transactions" : "");
        }
    }

    @Test
    void aBlockWithHashesOnlyIsNotProvenUnlessItHasNone() throws IOException {
        for (ObjectNode block : blocks()) {
            ArrayNode transactions = (ArrayNode) block.get("transactions");
            List<String> hashes = new ArrayList<>();
            transactions.forEach(one -> hashes.add(one.get("hash").stringValue()));
            transactions.removeAll();
            hashes.forEach(transactions::add);
            boolean whole = hashes.isEmpty() && block.get("uncles").isEmpty();
            assertThat(check(AnswerKind.BLOCK, block, null).kind())
                    .as(block.get("number").stringValue())
                    .isEqualTo(whole ? Kind.PROVEN : Kind.INCOMPLETE);
        }
    }

    @Test
    void aTransactionIsProvenByItsHash() throws IOException {
        for (ObjectNode block : blocks()) {
            for (JsonNode transaction : block.get("transactions")) {
                String hash = transaction.get("hash").stringValue();
                assertThat(check(AnswerKind.TRANSACTION, transaction, hash).kind())
                        .isEqualTo(Kind.PROVEN);
                ((ObjectNode) transaction).put("value", "0xdead");
                assertThat(check(AnswerKind.TRANSACTION, transaction, hash).kind())
                        .isEqualTo(Kind.WRONG);
            }
        }
    }

    @Test
    void anotherHashThanTheRequestedOneIsWrong() throws IOException {
        ObjectNode block = blocks().get(40);
        assertThat(check(AnswerKind.BLOCK, block, "0x" + "ab".repeat(32)).kind())
                .isEqualTo(Kind.WRONG);
    }

    private static Verification<?> checkWithUncles(JsonNode block, List<ObjectNode> uncles) {
        ProvenBlock known = BlockProof.block(block, null, ChainFamily.ETHEREUM).value();
        return AnswerProof.withUncles(
                Objects.requireNonNull(known),
                uncles.stream().map(one -> RawJson.of(one.toString())).toList(),
                ChainFamily.ETHEREUM);
    }

    @Test
    void aBlockIsProvenByTheUnclesThatItNamesOnlyIfTheyAreThoseOfItsHeader() {
        ChainVectors chain = new ChainVectors();
        List<ObjectNode> blocks = chain.blocks().stream()
                .filter(block -> !block.get("uncles").isEmpty())
                .toList();
        ObjectNode block = blocks.get(0);
        List<ObjectNode> own = chain.uncles(block);
        List<ObjectNode> others = chain.uncles(blocks.get(1));
        assertThat(checkWithUncles(block, own).kind()).isEqualTo(Kind.PROVEN);
        assertThat(checkWithUncles(block, others).kind()).isEqualTo(Kind.UNVERIFIABLE);
        block.putArray("uncles").add(others.get(0).get("hash"));
        assertThat(checkWithUncles(block, own).kind()).as("the header's alone").isEqualTo(Kind.WRONG);
        assertThat(checkWithUncles(block, others).kind()).as("the named alone").isEqualTo(Kind.WRONG);
    }

    @Test
    void aNameThatStandsTwiceIsWrong() throws IOException {
        String text = blocks().get(50).toString();
        String twice = "{\"gasUsed\":\"0x1\"," + text.substring(1);
        assertThat(AnswerProof.check(AnswerKind.BLOCK, RawJson.of(twice), null, ChainRules.ETHEREUM)
                        .kind())
                .isEqualTo(Kind.WRONG);
    }
}
