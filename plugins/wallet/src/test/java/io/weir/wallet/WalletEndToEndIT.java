package io.weir.wallet;

import static io.weir.wallet.WalletFixture.QUICK;
import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The wallet from its calls to a node that looks at every transaction it gets. */
class WalletEndToEndIT {
    private static final String TOKEN = ScriptedNode.TOKEN.toPaddedHex();
    private static final String RECEIVER = "0x0" + "1".repeat(63);

    @TempDir
    Path folder;

    private final ScriptedNode node = new ScriptedNode();
    private WalletFixture wallet;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, node, QUICK);
    }

    @AfterEach
    void stop() {
        wallet.close();
        node.close();
    }

    private static Map<String, Object> transferFrom(String sender) {
        return Map.of(
                "contractAddress",
                TOKEN,
                "contractFuncName",
                "transfer",
                "contractCallData",
                RECEIVER + ", 7,0",
                "senderAddress",
                sender);
    }

    private String deployedAccount() {
        JsonNode created = wallet.call("l2Net_createAccount", Map.of("deploy", true));
        node.advance();
        node.advance();
        awaitStatus(created.path("transaction_hash").stringValue(), "ACCEPTED_ON_L2");
        return created.path("address").stringValue();
    }

    private void awaitStatus(String hash, String status) {
        await().atMost(60, SECONDS)
                .until(() -> wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", hash))
                        .stringValue()
                        .equals(status));
    }

    @Test
    void anAccountIsDeployedAndTransfersItsTokenAndItsRecordsSaySo() {
        JsonNode created = wallet.call("l2Net_createAccount", Map.of("addressIndex", 0, "deploy", true));
        String address = created.path("address").stringValue();
        String deployment = created.path("transaction_hash").stringValue();
        assertThat(node.lastTransaction().path("type").stringValue()).isEqualTo("DEPLOY_ACCOUNT");
        assertThat(node.lastTransaction().path("version").stringValue()).isEqualTo("0x3");
        awaitStatus(deployment, "RECEIVED");
        node.advance();
        awaitStatus(deployment, "PENDING");
        node.advance();
        awaitStatus(deployment, "ACCEPTED_ON_L2");

        JsonNode sent = wallet.call("l2Net_sendTransaction", transferFrom(address));
        String transfer = sent.path("transaction_hash").stringValue();
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
        node.advance();
        node.advance();
        node.advance();
        awaitStatus(transfer, "ACCEPTED_ON_L2");

        Map<String, Object> history = Map.of("senderAddress", address, "withDeployTxn", true);
        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(wallet.call("l2Net_getTransactions", history))
                        .extracting(
                                record -> record.path("txnHash").stringValue(),
                                record -> record.path("txnType").stringValue(),
                                record -> record.path("status").stringValue())
                        .containsExactly(
                                org.assertj.core.groups.Tuple.tuple(transfer, "invoke", "ACCEPTED_ON_L2"),
                                org.assertj.core.groups.Tuple.tuple(deployment, "deploy_account", "ACCEPTED_ON_L2")));
        assertThat(wallet.call("l2Net_getTransactions", Map.of("senderAddress", address, "onlyFromState", true)))
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.path("contractFuncName").stringValue()).isEqualTo("transfer");
                    assertThat(record.path("contractAddress").stringValue()).isEqualTo(TOKEN);
                    assertThat(record.path("contractCallData").toString())
                            .isEqualTo("[\"0x" + "1".repeat(63) + "\",\"0x7\",\"0x0\"]");
                });
        assertThat(wallet.call("l2Net_getStoredUserAccounts", Map.of()))
                .singleElement()
                .satisfies(account -> {
                    assertThat(account.path("address").stringValue()).isEqualTo(address);
                    assertThat(account.path("deployTxnHash").stringValue()).isEqualTo(deployment);
                });
    }

    @Test
    void whatIsApprovedIsWhatIsSentAndNeverCostsMore() {
        String address = deployedAccount();
        wallet.approvals.asked.clear();
        wallet.call("l2Net_sendTransaction", transferFrom(address));

        assertThat(wallet.approvals.asked).singleElement().satisfies(request -> {
            assertThat(request.tenant()).isEqualTo("demo");
            assertThat(request.method()).isEqualTo("sendTransaction");
            assertThat(request.network()).isEqualTo("sepolia");
            assertThat(request.chainId()).isEqualTo("SN_SEPOLIA");
            assertThat(request.calls()).singleElement().satisfies(call -> {
                assertThat(call.contract()).isEqualTo(ScriptedNode.TOKEN);
                assertThat(call.function()).isEqualTo("transfer");
                assertThat(call.calldata()).containsExactly(felt(RECEIVER), Felt.of(7), Felt.ZERO);
                assertThat(call.arguments())
                        .containsExactly(
                                new Argument(
                                        "recipient",
                                        "ContractAddress",
                                        felt(RECEIVER).toHex()),
                                new Argument("amount", "u256", "7"));
            });
            assertThat(request.maxFeeFri()).isEqualTo(mostOf(node.lastTransaction()));
        });
        assertThat(mostOf(node.lastTransaction())).isBetween(BigInteger.valueOf(120_000), BigInteger.valueOf(180_000));
    }

    private static BigInteger mostOf(JsonNode transaction) {
        BigInteger most = BigInteger.ZERO;
        for (JsonNode bound : transaction.path("resource_bounds")) {
            most = most.add(number(bound.path("max_amount")).multiply(number(bound.path("max_price_per_unit"))));
        }
        return most;
    }

    private static BigInteger number(JsonNode node) {
        return new BigInteger(node.stringValue().substring(2), 16);
    }

    @Test
    void whatIsNotApprovedIsNotSent() {
        String address = deployedAccount();
        Map<Decision, String> answers = Map.of(
                Decision.REFUSED, "4001 User rejected the request.",
                Decision.FORBIDDEN, "4100 not permitted: this wallet approves no such request of this key",
                Decision.TIMED_OUT, "-32000 expired: nobody decided in time",
                Decision.WITHDRAWN, "-32000 withdrawn: its callers have gone",
                Decision.STOPPED, "-32000 withdrawn: the wallet stops");
        answers.forEach((decision, told) -> {
            wallet.approvals.decision = decision;
            RpcException error = wallet.failure("l2Net_sendTransaction", transferFrom(address));
            assertThat(error.code() + " " + error.getMessage()).isEqualTo(told);
        });
        wallet.approvals.decision = Decision.REFUSED;
        assertThat(wallet.failure("l2Net_createAccount", Map.of("addressIndex", 3, "deploy", true))
                        .code())
                .isEqualTo(4001);
        assertThat(node.nonces(felt(address))).containsExactly(0L);
    }

    @Test
    void aSenderThatIsNotDeployedIsDeployedFirst() {
        node.advanceByItself();
        String address = wallet.address(0);

        JsonNode estimate = wallet.call("l2Net_estimateFee", transferFrom(address));
        assertThat(estimate.path("includeDeploy").booleanValue()).isTrue();
        assertThat(estimate.path("overallFee").stringValue()).isEqualTo("240000");

        JsonNode sent = wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
        assertThat(wallet.approvals.asked.get(0).calls())
                .extracting(call -> call.function())
                .containsExactly("constructor", "transfer");
        awaitStatus(sent.path("transaction_hash").stringValue(), "ACCEPTED_ON_L2");
    }

    @Test
    void concurrentTransactionsGetConsecutiveNonces() {
        String address = deployedAccount();
        List<CompletionStage<JsonNode>> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(wallet.begin("l2Net_sendTransaction", transferFrom(address)));
        }
        sent.forEach(Waiting::forResult);
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void aTransactionThatTheNodeTookCountsAsSentWhateverItAnswered() {
        String address = deployedAccount();
        node.expect(Mishap.ANSWER_LOST, Mishap.TAKEN_BUT_REFUSED);
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aTransactionThatWasLostOnTheWayIsSentAgainWithTheSameBytesAndTheNextOneFollowsIt() {
        String address = deployedAccount();
        node.expect(Mishap.LOST_BEFORE);
        var lost = wallet.failure("l2Net_sendTransaction", transferFrom(address));
        assertThat(lost.code()).isEqualTo(-32000);
        String hash = lost.data().path("transaction_hash").stringValue();
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L, 2L);
        awaitStatus(hash, "RECEIVED");
    }

    @Test
    void aRefusedTransactionLeavesItsNonceToTheNext() {
        String address = deployedAccount();
        node.expect(Mishap.REFUSED);
        assertThat(wallet.failure("l2Net_sendTransaction", transferFrom(address))
                        .code())
                .isEqualTo(54);
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
        assertThat(wallet.call("l2Net_getTransactions", Map.of("senderAddress", address)))
                .extracting(record -> record.path("status").stringValue())
                .containsExactly("RECEIVED");
    }

    @Test
    void aTransactionThatTheNodeForgetsIsGivenToItAgain() {
        String address = deployedAccount();
        String hash = wallet.call("l2Net_sendTransaction", transferFrom(address))
                .path("transaction_hash")
                .stringValue();
        node.forget(felt(hash));
        wallet.pass(Duration.ofMinutes(1));
        await().atMost(60, SECONDS).until(() -> node.nonces(felt(address)).equals(List.of(0L, 1L)));
    }

    @Test
    void accountsAreRecoveredFromTheSeed() {
        String first = wallet.address(0);
        String second = wallet.address(1);
        String key = wallet.call("l2Net_extractPublicKey", Map.of("userAddress", second))
                .stringValue();
        Felt usual = felt("0x29927c8af6bccf3f6fda035981e765a7bdbf18a2dc0d630494f8758aa908e2b");
        node.addContract(felt(second), usual, felt(key));

        JsonNode scanned = wallet.call("l2Net_recoverAccounts", Map.of("maxScanned", 5, "maxMissed", 2));
        assertThat(scanned)
                .extracting(account -> account.path("address").stringValue())
                .startsWith(first, second)
                .hasSize(3);
        assertThat(scanned)
                .extracting(account -> account.path("publicKey").stringValue())
                .containsExactly("", key, "");
        assertThat(wallet.call("l2Net_getStoredUserAccounts", Map.of()))
                .extracting(account -> account.path("addressIndex").intValue())
                .containsExactly(1);
        assertThat(wallet.address(1)).isEqualTo(second);
        assertThat(wallet.call("l2Net_createAccount", Map.of()).path("address").stringValue())
                .isEqualTo(first);
    }

    @Test
    void balancesHaveBothWords() {
        node.fund(felt(RECEIVER), Felt.of(5), Felt.of(2));
        Map<String, Object> params = Map.of("tokenAddress", TOKEN, "userAddress", RECEIVER);
        assertThat(wallet.call("l2Net_getErc20TokenBalance", params).stringValue())
                .isEqualTo("0x" + "2" + "0".repeat(31) + "5");
        assertThat(wallet.call(
                                "l2Net_getValue",
                                Map.of(
                                        "contractAddress", TOKEN,
                                        "contractFuncName", "balanceOf",
                                        "contractCallData", RECEIVER))
                        .toString())
                .isEqualTo("{\"result\":[\"0x5\",\"0x2\"]}");
    }

    @Test
    void anotherClientsSpecificationVersionsAreSpoken() {
        node.speak("0.8.1");
        String address = deployedAccount();
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
    }

    @Test
    void anOldAccountIsRecoveredAndUpgradedBeforeItSends() {
        Felt key = felt(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", wallet.address(0)))
                .stringValue());
        AccountKind legacy = wallet.host
                .settings(WalletSettings.class)
                .account()
                .all()
                .named("legacy")
                .orElseThrow();
        String address = legacy.address(key).toPaddedHex();
        assertThat(wallet.failure("l2Net_upgradeAccContract", Map.of("contractAddress", address)))
                .hasMessage("Contract has not deployed");
        node.addContract(felt(address), legacy.classHash(), key);

        JsonNode recovered = wallet.call("l2Net_recoverAccounts", Map.of()).path(0);
        assertThat(recovered.path("address").stringValue()).isEqualTo(address);
        assertThat(recovered.path("upgradeRequired").booleanValue()).isTrue();
        assertThat(wallet.failure("l2Net_sendTransaction", transferFrom(address)))
                .hasMessage("Upgrade required");

        wallet.call("l2Net_upgradeAccContract", Map.of("contractAddress", address));
        Felt usual = wallet.host
                .settings(WalletSettings.class)
                .account()
                .all()
                .ofChain(ScriptedNode.CHAIN_ID)
                .classHash();
        // Laid out as the old contract takes it: one call, where its data begins and how long it is, then all data.
        assertThat(node.lastTransaction().path("calldata").toString())
                .isEqualTo("[\"0x1\",\"" + felt(address).toHex() + "\",\""
                        + Selector.of("upgrade").toHex() + "\",\"0x0\",\"0x3\",\"0x3\",\"" + usual.toHex()
                        + "\",\"0x1\",\"0x0\"]");
        node.addContract(felt(address), usual, key);
        assertThat(wallet.failure("l2Net_upgradeAccContract", Map.of("contractAddress", address)))
                .hasMessage("Upgrade is not required");
    }

    @Test
    void noNodeIsAskedWhereNothingIsUnsettled() {
        deployedAccount();
        await().atMost(60, SECONDS).until(() -> {
            node.takeAsked();
            Waiting.forResult(java.util.concurrent.CompletableFuture.runAsync(
                    () -> {},
                    java.util.concurrent.CompletableFuture.delayedExecutor(
                            200, java.util.concurrent.TimeUnit.MILLISECONDS)));
            return node.takeAsked().isEmpty();
        });
    }

    @Test
    void anAccountOfAnyIndexIsRememberedAndTheNextOneIsStillTheFirst() {
        String far = wallet.address(1000);
        assertThat(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", far))
                        .stringValue())
                .startsWith("0x");
        assertThat(wallet.call("l2Net_createAccount", Map.of()).path("address").stringValue())
                .isEqualTo(wallet.address(0));
        assertThat(wallet.call("l2Net_getStoredUserAccounts", Map.of())).isEmpty();
    }

    @Test
    void aRecoveredAccountHasTheDeploymentThatIsKnown() {
        JsonNode created = wallet.call("l2Net_createAccount", Map.of("deploy", true));
        assertThat(wallet.call("l2Net_recoverAccounts", Map.of()).path(0).path("deployTxnHash"))
                .isEqualTo(created.path("transaction_hash"));
    }

    @Test
    void anAddressNeedsNoLeadingZeros() {
        node.fund(Felt.of(5), Felt.of(7), Felt.ZERO);
        assertThat(wallet.call("l2Net_getErc20TokenBalance", Map.of("tokenAddress", TOKEN, "userAddress", "0x5"))
                        .stringValue())
                .isEqualTo("0x7");
    }

    @Test
    void aFeeHasNoSecondConstructorWhileTheFirstIsOnItsWay() {
        String address = wallet.call("l2Net_createAccount", Map.of("deploy", true))
                .path("address")
                .stringValue();
        JsonNode fee = wallet.call("l2Net_estimateFee", transferFrom(address));
        assertThat(fee.path("includeDeploy").booleanValue()).isFalse();
        assertThat(fee.path("overallFee").stringValue()).isEqualTo("120000");
        node.advanceByItself();
        wallet.call("l2Net_sendTransaction", transferFrom(address));
        assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
    }
}
