package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.verify.ChainVectors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A node answers a lookup with another transaction or receipt of the chain, of which every hash is right. */
class OtherLookupTest {

    private static final ChainVectors VECTORS = new ChainVectors();
    private static final String TRANSACTION = "eth_getTransactionByHash";
    private static final String RECEIPT = "eth_getTransactionReceipt";
    private static final String RECEIPTS = "eth_getBlockReceipts";

    private final VectorChain chain = new VectorChain(VECTORS);
    private final Entry entry = chain.at(54);
    private ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING);

    @AfterEach
    void close() {
        weir.close();
    }

    private static String hash(Entry of, int index) {
        return of.block().get("transactions").get(index).get("hash").stringValue();
    }

    private JsonNode honest(String method, String hash) {
        return chain.answer(method, VectorChain.JSON.readTree("[\"" + hash + "\"]"));
    }

    private void answerWith(HandNode node, String method, JsonNode instead) {
        ServingFixture.serve(
                node, chain, call -> call.method().equals(method) ? HandNode.result(instead.toString()) : null);
    }

    /** Whole others: of the same block, and of another one. */
    private List<JsonNode> others(String method) {
        return List.of(honest(method, hash(entry, 0)), honest(method, hash(chain.at(40), 0)));
    }

    @ParameterizedTest
    @CsvSource({TRANSACTION + ", transaction", RECEIPT + ", receipts"})
    void theNextNodeIsAskedAndTheFirstIsBlamed(String method, String parts) {
        String asked = hash(entry, 1);
        for (JsonNode other : others(method)) {
            weir.close();
            weir = new ServingFixture(Verify.BEFORE_SERVING);
            answerWith(weir.pool.a, method, other);
            ServingFixture.serve(weir.pool.b, chain);
            Answer answer = weir.ask(method, "[\"" + asked + "\"]");

            assertThat(answer.json()).isEqualTo(honest(method, asked));
            assertThat(answer.verified()).isEqualTo(parts + ", place");
            assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("UNFIT costs: ");
            assertThat(weir.pool.b.refuted).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({TRANSACTION, RECEIPT})
    void whereEveryNodeSaysSoTheCallFails(String method) {
        for (JsonNode other : others(method)) {
            answerWith(weir.pool.a, method, other);
            answerWith(weir.pool.b, method, other);
            Answer answer = weir.ask(method, "[\"" + hash(entry, 1) + "\"]");

            assertThat(answer.reply()).isInstanceOf(RpcReply.Failure.class);
            assertThat(answer.verified()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Verify.class)
    void anotherOneThatIsSaidToWaitStillIsAnother(Verify verify) {
        weir.close();
        weir = new ServingFixture(verify);
        for (String method : List.of(TRANSACTION, RECEIPT)) {
            ObjectNode waiting = (ObjectNode) honest(method, hash(entry, 0)).deepCopy();
            for (String name : List.of("blockHash", "blockNumber", "transactionIndex")) {
                waiting.putNull(name);
            }
            answerWith(weir.pool.a, method, waiting);
            answerWith(weir.pool.b, method, waiting);

            assertThat(weir.ask(method, "[\"" + hash(entry, 1) + "\"]").reply()).isInstanceOf(RpcReply.Failure.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Verify.class)
    void noReceiptHidesThatAllAreOfAnotherBlock(Verify verify) {
        weir.close();
        weir = new ServingFixture(verify);
        String params = "[\"" + entry.hash() + "\"]";
        JsonNode receipts = chain.at(40).receipts().deepCopy();
        for (String name : List.of("transactionIndex", "blockHash", "blockNumber")) {
            ((ObjectNode) receipts.get(0)).remove(name);
            answerWith(weir.pool.a, RECEIPTS, receipts);
            ServingFixture.serve(weir.pool.b, chain);
            weir.forget();

            assertThat(weir.ask(RECEIPTS, params).json()).isEqualTo(entry.receipts());
        }
    }

    /** The text between the members of an object is not looked at where an answer is cut out of its message. */
    @ParameterizedTest
    @EnumSource(Verify.class)
    void afterWhatIsNotJsonTheNextNodeIsAsked(Verify verify) {
        weir.close();
        weir = new ServingFixture(verify);
        for (String method : List.of(TRANSACTION, RECEIPT)) {
            JsonNode right = honest(method, hash(entry, 1));
            ServingFixture.serve(
                    weir.pool.a, chain, call -> call.method().equals(method) ? HandNode.result("{\"hash\" 1}") : null);
            ServingFixture.serve(weir.pool.b, chain);

            assertThat(weir.ask(method, "[\"" + hash(entry, 1) + "\"]").json()).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @CsvSource({TRANSACTION, RECEIPT})
    void itIsNotKeptWhereAnswersAreVerifiedOnceTheyWereServed(String method) {
        weir.close();
        weir = new ServingFixture(Verify.BEFORE_CACHING, Hashing.ETHEREUM, Unverifiable.REFUSE, 1);
        String asked = hash(entry, 1);
        for (JsonNode other : others(method)) {
            answerWith(weir.pool.a, method, other);
            weir.ask(method, "[\"" + asked + "\"]");
            weir.settle();
            ServingFixture.serve(weir.pool.a, chain);

            assertThat(weir.ask(method, "[\"" + asked + "\"]").json()).isEqualTo(honest(method, asked));
            weir.forget();
        }
    }
}
