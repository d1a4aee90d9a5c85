package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.AnswerProof.Outcome;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.testing.Checkout;
import io.weir.verify.MemberNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private static AnswerProof.Result check(CacheClass rule, JsonNode answer, String asked) {
        return AnswerProof.check(rule, RawJson.of(answer.toString()), asked, MemberNames.ETHEREUM);
    }

    @Test
    void aBlockThatIsWholeIsProven() throws IOException {
        for (ObjectNode block : blocks()) {
            Outcome expected = block.get("uncles").isEmpty() ? Outcome.PROVEN : Outcome.INCOMPLETE;
            AnswerProof.Result result =
                    check(CacheClass.BLOCK, block, block.get("hash").stringValue());
            assertThat(result.outcome()).as(block.get("number").stringValue()).isEqualTo(expected);
            assertThat(result.parts()).isEqualTo(expected == Outcome.PROVEN ? "header, transactions" : "");
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
            assertThat(check(CacheClass.BLOCK, block, null).outcome())
                    .as(block.get("number").stringValue())
                    .isEqualTo(whole ? Outcome.PROVEN : Outcome.INCOMPLETE);
        }
    }

    @Test
    void aTransactionIsProvenByItsHash() throws IOException {
        for (ObjectNode block : blocks()) {
            for (JsonNode transaction : block.get("transactions")) {
                String hash = transaction.get("hash").stringValue();
                assertThat(check(CacheClass.TRANSACTION, transaction, hash).outcome())
                        .isEqualTo(Outcome.PROVEN);
                ((ObjectNode) transaction).put("value", "0xdead");
                assertThat(check(CacheClass.TRANSACTION, transaction, hash).outcome())
                        .isEqualTo(Outcome.WRONG);
            }
        }
    }

    @Test
    void anotherHashThanTheOneThatWasAskedForIsWrong() throws IOException {
        ObjectNode block = blocks().get(40);
        assertThat(check(CacheClass.BLOCK, block, "0x" + "ab".repeat(32)).outcome())
                .isEqualTo(Outcome.WRONG);
    }

    @Test
    void aNameThatStandsTwiceIsWrong() throws IOException {
        String text = blocks().get(50).toString();
        String twice = "{\"gasUsed\":\"0x1\"," + text.substring(1);
        assertThat(AnswerProof.check(CacheClass.BLOCK, RawJson.of(twice), null, MemberNames.ETHEREUM)
                        .outcome())
                .isEqualTo(Outcome.WRONG);
    }
}
