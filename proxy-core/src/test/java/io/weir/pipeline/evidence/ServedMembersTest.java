package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.testing.Runs;
import io.weir.verify.ChainVectors;
import io.weir.verify.ObjectForm;
import io.weir.verify.ShadowMembers;
import io.weir.verify.ShadowMembers.Shadowed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What becomes of answers with members beside the proven ones, through the stages that calls pass. */
class ServedMembersTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    /** After so many false answers the budget of retries may be spent. */
    private static final int DRAWS_OF_ONE_NETWORK = 60;

    /** Random answers in each test. */
    private static final int DRAWS = Runs.number("weir.members.draws", 60, 1_000);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final ShadowMembers shadows = new ShadowMembers(random);
    private final VectorChain chain = new VectorChain(VECTORS);
    private ServingFixture serving = new ServingFixture(Verify.BEFORE_SERVING);
    private final ServingFixture passing =
            new ServingFixture(Verify.BEFORE_SERVING, Hashing.ETHEREUM, Unverifiable.PASS, 2);
    private final ServingFixture keeping = new ServingFixture(Verify.BEFORE_CACHING);

    @AfterEach
    void close() {
        serving.close();
        passing.close();
        keeping.close();
    }

    /** A call and the object that answers it. */
    private record Subject(String method, String params, JsonNode object, ObjectForm form) {
        boolean isReceipts() {
            return form == ObjectForm.RECEIPT;
        }

        @Override
        public String toString() {
            return method + params;
        }
    }

    private Subject someSubject() {
        List<Entry> entries = chain.entries();
        Entry entry = entries.get(random.nextInt(entries.size()));
        String hash = "[\"" + entry.hash() + "\"";
        JsonNode transactions = entry.block().get("transactions");
        boolean empty = transactions.isEmpty();
        int index = empty ? 0 : random.nextInt(transactions.size());
        return switch (empty ? 0 : random.nextInt(4)) {
            case 0 -> new Subject("eth_getBlockByHash", hash + ",true]", entry.block(), ObjectForm.BLOCK);
            case 1 ->
                new Subject(
                        "eth_getTransactionByHash",
                        "[" + transactions.get(index).get("hash") + "]",
                        transactions.get(index),
                        ObjectForm.TRANSACTION);
            case 2 -> new Subject("eth_getBlockReceipts", hash + "]", entry.receipts(), ObjectForm.RECEIPT);
            default ->
                new Subject(
                        "eth_getTransactionReceipt",
                        "[" + transactions.get(index).get("hash") + "]",
                        entry.receipts().get(index),
                        ObjectForm.RECEIPT);
        };
    }

    private void renew(int draw) {
        if (draw % DRAWS_OF_ONE_NETWORK == DRAWS_OF_ONE_NETWORK - 1) {
            serving.close();
            serving = new ServingFixture(Verify.BEFORE_SERVING);
        }
    }

    private void answer(HandNode node, Subject subject, String json) {
        node.asked.clear();
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals(subject.method())
                                && String.valueOf(call.params()).equals(subject.params())
                        ? HandNode.result(json)
                        : null);
    }

    @Test
    void aShadowIsNeverServedWhereAnswersAreVerifiedFirstAndCostsItsNode() {
        for (int i = 0; i < DRAWS; i++) {
            renew(i);
            Subject subject = someSubject();
            Shadowed shadowed = shadows.add(subject.object(), subject.form());
            serving.forget();
            serving.pool.a.refuted.clear();
            answer(serving.pool.a, subject, shadowed.json());
            ServingFixture.serve(serving.pool.b, chain);
            Answer answer = serving.ask(subject.method(), subject.params());
            assertThat(answer.json())
                    .as("%s: %s, seed %d", subject, shadowed, seed)
                    .isEqualTo(subject.object());
            assertThat(answer.verified()).isNotEmpty();
            assertThat(serving.pool.a.refuted)
                    .as("%s: %s, seed %d", subject, shadowed, seed)
                    .singleElement()
                    .asString()
                    .startsWith("FALSE_HASH costs");
        }
        assertThat(serving.pool.b.refuted).isEmpty();
    }

    @Test
    void aShadowIsNeverKeptOrCalledVerifiedAndCostsItsNode() {
        ServingFixture.serve(keeping.pool.b, chain);
        for (int i = 0; i < DRAWS; i++) {
            Subject subject = someSubject();
            Shadowed shadowed = shadows.add(subject.object(), subject.form());
            keeping.forget();
            keeping.pool.a.refuted.clear();
            if (subject.isReceipts()) {
                // The block in memory proves its receipts.
                ServingFixture.serve(keeping.pool.a, chain);
                String block = subject.object().isArray()
                        ? subject.object().get(0).get("blockHash").toString()
                        : subject.object().get("blockHash").toString();
                keeping.ask("eth_getBlockByHash", "[" + block + ",true]");
                keeping.settle();
            }
            answer(keeping.pool.a, subject, shadowed.json());
            Answer first = keeping.ask(subject.method(), subject.params());
            assertThat(first.verified()).isEmpty();
            keeping.settle();
            ServingFixture.serve(keeping.pool.a, chain);
            assertThat(keeping.ask(subject.method(), subject.params()).json())
                    .as("%s: %s, seed %d", subject, shadowed, seed)
                    .isEqualTo(subject.object());
            if (subject.method().equals("eth_getBlockByHash")) {
                assertThat(keeping.pool.a.refuted)
                        .as("%s: %s, seed %d", subject, shadowed, seed)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void anUnlistedMemberThatMayPassIsServedUnverifiedNotKeptAndCostsNothing() {
        for (int i = 0; i < DRAWS; i++) {
            Subject subject = someSubject();
            String json = shadows.addNamed(subject.object(), subject.form(), "evil");
            for (ServingFixture weir : List.of(passing, keeping)) {
                weir.forget();
                answer(weir.pool.a, subject, json);
                answer(weir.pool.b, subject, json);
                for (int times = 0; times < 2; times++) {
                    Answer answer = weir.ask(subject.method(), subject.params());
                    assertThat(answer.reply()).as("%s, seed %d", subject, seed).isInstanceOf(RpcReply.Result.class);
                    boolean derived = answer.cache().startsWith("hit");
                    assertThat(derived ? "" : answer.verified())
                            .as("%s, seed %d", subject, seed)
                            .isEmpty();
                    assertThat(answer.json().toString().contains("evil"))
                            .as("%s: %s, seed %d", subject, answer.cache(), seed)
                            .isEqualTo(!derived);
                    weir.settle();
                }
                assertThat(weir.pool.a.refuted).as("%s, seed %d", subject, seed).isEmpty();
            }
        }
    }

    @Test
    void anUnlistedMemberIsRefusedAndAnotherNodeAsked() {
        for (int i = 0; i < DRAWS; i++) {
            renew(i);
            Subject subject = someSubject();
            String json = shadows.addNamed(subject.object(), subject.form(), "evil");
            serving.forget();
            answer(serving.pool.a, subject, json);
            ServingFixture.serve(serving.pool.b, chain);
            Answer answer = serving.ask(subject.method(), subject.params());
            assertThat(answer.json()).as("%s, seed %d", subject, seed).isEqualTo(subject.object());
            assertThat(answer.verified()).as("%s, seed %d", subject, seed).isNotEmpty();
            assertThat(serving.pool.a.refuted).as("%s, seed %d", subject, seed).isEmpty();
        }
    }

    @Test
    void aCallIsRefusedWhereEveryNodeAddsAnUnlistedMember() {
        for (int i = 0; i < DRAWS; i++) {
            renew(i);
            Subject subject = someSubject();
            String json = shadows.addNamed(subject.object(), subject.form(), "evil");
            serving.forget();
            answer(serving.pool.a, subject, json);
            answer(serving.pool.b, subject, json);
            Answer answer = serving.ask(subject.method(), subject.params());
            if (answer.cache().startsWith("hit")) {
                continue;
            }
            assertThat(answer.reply()).as("%s, seed %d", subject, seed).isInstanceOf(RpcReply.Failure.class);
            assertThat(answer.failure().error().code()).isEqualTo(-32000);
            assertThat(answer.failure().error().message()).isEqualTo("no upstream's answer can be verified");
            assertThat(serving.pool.a.refuted).as("%s, seed %d", subject, seed).isEmpty();
        }
    }

    @Test
    void whatIsCountedInABlockWithAnUnlistedMemberIsVerified() {
        Entry entry = chain.at(40);
        Subject block =
                new Subject("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]", entry.block(), ObjectForm.BLOCK);
        String json = shadows.addNamed(block.object(), block.form(), "evil");
        answer(passing.pool.a, block, json);
        answer(passing.pool.b, block, json);
        Answer count = passing.ask("eth_getBlockTransactionCountByHash", "[\"" + entry.hash() + "\"]");
        assertThat(count.verified()).isEqualTo("header, transactions");
        assertThat(count.json()).isNotNull();
    }
}
