package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Several calls in one transaction: all of them are carried out, or none. */
class MulticallTest {
    private static final String SEND = "l2Net_sendTransaction";
    private static final String TOKEN = ScriptedNode.TOKEN.toPaddedHex();

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private WalletFixture wallet;
    private String sender;

    @BeforeEach
    void start() throws Exception {
        wallet = WalletFixture.start(Files.createDirectories(folder.resolve("one")), chain, WalletFixture.QUICK);
        sender = wallet.deployedAccount(chain::addContract);
    }

    @AfterEach
    void stop() {
        wallet.close();
    }

    private static Map<String, Object> call(String contract, String function, String calldata) {
        return Map.of("contractAddress", contract, "contractFuncName", function, "contractCallData", calldata);
    }

    private static List<Map<String, Object>> two() {
        return List.of(call(TOKEN, "transfer", "0x1,2,0"), call("0x5a9", "swap_all", ""));
    }

    private Map<String, Object> params(Object calls, Map<String, Object> more) {
        Map<String, Object> params = new HashMap<>(Map.of("senderAddress", sender, "calls", calls));
        params.putAll(more);
        return params;
    }

    private String send() {
        return wallet.call(SEND, params(two(), Map.of()))
                .path("transaction_hash")
                .stringValue();
    }

    private JsonNode listed(boolean onlyFromState) {
        JsonNode list =
                wallet.call("l2Net_getTransactions", Map.of("senderAddress", sender, "onlyFromState", onlyFromState));
        assertThat(list).hasSize(1);
        return list.path(0);
    }

    private static List<Felt> laidOut() {
        return ExecuteCalldata.cairo1(List.of(
                ContractCall.of(ScriptedNode.TOKEN, "transfer", List.of(Felt.ONE, Felt.of(2), Felt.ZERO)),
                ContractCall.of(felt("0x5a9"), "swap_all", List.of())));
    }

    private static List<Felt> calldata(JsonNode transaction) {
        return StreamSupport.stream(transaction.path("calldata").spliterator(), false)
                .map(element -> felt(element.stringValue()))
                .toList();
    }

    @Test
    void severalCallsAreOneTransactionWithOneApprovalThatShowsEach() {
        send();

        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
        assertThat(calldata(chain.lastTransaction())).isEqualTo(laidOut());
        assertThat(wallet.approvals.asked)
                .singleElement()
                .satisfies(asked -> assertThat(asked.calls())
                        .extracting(Content.RequestedCall::function)
                        .containsExactly("transfer", "swap_all"));
        assertThat(wallet.approvals.asked.get(0).calls().get(0).arguments())
                .as("by the token's own description")
                .extracting(Content.Argument::name)
                .containsExactly("recipient", "amount");
    }

    @Test
    void theListOfTransactionsGivesTheCallsOfSeveralAndTheMembersOfOne() {
        send();
        JsonNode several = listed(true);
        assertThat(several.propertyNames()).doesNotContain("contractAddress", "contractFuncName", "contractCallData");
        assertThat(several.path("calls").toString())
                .isEqualTo("[{\"contractAddress\":\"" + TOKEN
                        + "\",\"contractFuncName\":\"transfer\",\"contractCallData\":[\"0x1\",\"0x2\",\"0x0\"]},"
                        + "{\"contractAddress\":\"" + felt("0x5a9").toPaddedHex()
                        + "\",\"contractFuncName\":\"swap_all\",\"contractCallData\":[]}]");
        for (Map.Entry<String, Integer> found :
                Map.of("0x5a9", 1, TOKEN, 1, "0x5aa", 0).entrySet()) {
            assertThat(wallet.call(
                            "l2Net_getTransactions",
                            Map.of("senderAddress", sender, "contractAddress", found.getKey(), "onlyFromState", true)))
                    .as(found.getKey())
                    .hasSize(found.getValue());
        }
        wallet.call(SEND, params(List.of(call(TOKEN, "transfer", "1,2,0")), Map.of()));
        JsonNode one = wallet.call("l2Net_getTransactions", Map.of("senderAddress", sender, "onlyFromState", true))
                .path(0);
        assertThat(one.has("calls")).isFalse();
        assertThat(one.path("contractAddress").stringValue()).isEqualTo(TOKEN);
    }

    @Test
    void feesOfSeveralCallsAreEstimatedAsThoseOfOneTransaction() {
        JsonNode fee = wallet.call("l2Net_estimateFee", params(two(), Map.of()));
        assertThat(fee.path("overallFee").stringValue())
                .isEqualTo(wallet.call("l2Net_estimateFee", WalletFixture.transferFrom(sender))
                        .path("overallFee")
                        .stringValue());
        assertThat(chain.nonces(felt(sender))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | request.params.calls: 0 (expected: a list of 1 to 32 objects)",
                "{} | request.params.calls: {} (expected: a list of 1 to 32 objects)",
                "[7] | request.params.calls[0]: 7 (expected: an object)",
                "[{}] | request.params.calls[0].contractAddress: missing (expected: an address)",
                "[{'contractAddress':'0x1','contractFuncName':'a b'}] | request.params.calls[0].contractFuncName:"
                        + " \"a b\" (expected: the name of a contract's function)",
                "[{'contractAddress':'0x1','contractFuncName':'f'},{'contractAdress':'0x1'}] |"
                        + " request.params.calls[1].contractAdress: unknown (expected: contractAddress)",
                "[{'contractAddress':'0x1','contractFuncName':'f','contractCallData':['no']}] |"
                        + " request.params.calls[0].contractCallData: [\"no\"] (expected: a number of the network's"
                        + " field)",
            })
    void wrongCallsAreNamedByTheirPlace(String calls, String problem) {
        JsonNode tree = WalletFixture.MAPPER.readTree(calls.replace('\'', '"'));
        for (String method : List.of(SEND, "l2Net_estimateFee")) {
            assertThat(wallet.failure(method, params(tree, Map.of()))).hasMessage(problem);
        }
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void callsBesideTheMembersOfOneAndTooManyAndTooMuchDataAreRefused() {
        assertThat(wallet.failure(SEND, params(Collections.nCopies(33, call("0x1", "f", "")), Map.of())))
                .hasMessage("request.params.calls: 33 (expected: a list of 1 to 32 objects)");
        assertThat(wallet.failure(SEND, params(two(), Map.of("contractFuncName", "transfer"))))
                .hasMessage("request.params.contractFuncName: given beside calls"
                        + " (expected: one call by its members, or calls)");
        String half = IntStream.range(0, 2001).mapToObj(String::valueOf).collect(Collectors.joining(","));
        assertThat(wallet.failure(SEND, params(List.of(call("0x1", "f", half), call("0x1", "f", half)), Map.of())))
                .hasMessage("request.params.calls: call data of 4002 numbers"
                        + " (expected: at most 4000 of all calls together)");
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void oneCallOfTooMuchDataIsRefusedToo() {
        String data = IntStream.range(0, 4001).mapToObj(String::valueOf).collect(Collectors.joining(","));
        Map<String, Object> call = new HashMap<>(call("0x1", "f", data));
        call.put("senderAddress", sender);
        for (String method : List.of(SEND, "l2Net_estimateFee")) {
            assertThat(wallet.failure(method, call))
                    .hasMessageStartingWith("request.params.contractCallData: ")
                    .hasMessageEndingWith("(expected: at most 4000 numbers)");
        }
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void aRequestIdIsForTheseCallsInThisOrder() {
        Map<String, Object> named = Map.of("requestId", "order-1");
        JsonNode first = wallet.call(SEND, params(two(), named));
        assertThat(wallet.call(SEND, params(two(), named))).isEqualTo(first);
        List<Map<String, Object>> turned = List.of(two().get(1), two().get(0));
        assertThat(wallet.failure(SEND, params(turned, named)).getMessage())
                .startsWith("request.params.requestId: used for another request");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void aRaisedTransactionHasAllCalls() {
        chain.allowGaps();
        String slow = send();
        Felt raised = Waiting.forResult(
                wallet.remedies().raise(wallet.remedies().replaceable().get(0), "alice"));
        assertThat(raised).isNotEqualTo(felt(slow));
        assertThat(calldata(chain.lastTransaction())).isEqualTo(laidOut());
        assertThat(chain.nonces(felt(sender))).containsExactly(0L, 0L);
    }

    @Test
    void callsThatTheDatabaseLostComeFromTheChain() throws Exception {
        send();
        chain.advance();
        chain.advance();
        wallet.close();
        wallet = WalletFixture.start(Files.createDirectories(folder.resolve("two")), chain, WalletFixture.QUICK);

        assertThat(listed(false).path("calls"))
                .extracting(call -> call.path("contractAddress").stringValue())
                .containsExactly(TOKEN, felt("0x5a9").toPaddedHex());
    }
}
