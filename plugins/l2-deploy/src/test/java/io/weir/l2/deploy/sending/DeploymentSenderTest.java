package io.weir.l2.deploy.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.deploy.Samples;
import io.weir.l2.deploy.intake.Deployment;
import io.weir.l2.deploy.intake.DeploymentReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is made of a node's answers, and what is sent how often. */
class DeploymentSenderTest {
    private static final String METHOD = "starknet_addDeployAccountTransaction";

    private final FakeChain chain = new FakeChain();
    private final FakeMeters meters = new FakeMeters();
    private final AtomicLong clock = new AtomicLong();
    private final RecentDeployments recent = new RecentDeployments(10, Duration.ofSeconds(1), clock::get);
    private final Destinations destinations = new Destinations(chain, Map.of("sepolia", "gateway"));
    private final DeploymentSender sender = new DeploymentSender(chain, destinations, METHOD, recent, meters);

    private final ObjectNode transaction = Samples.deployment();
    private final Deployment deployment = read();
    private final String hash = deployment
            .hash(Felt.parseHex(Samples.SEPOLIA), deployment.address())
            .toHex();
    private final String address = deployment.address().toHex();

    private Deployment read() {
        return new DeploymentReader().read(Samples.named(transaction));
    }

    private CompletableFuture<JsonNode> send(Deployment one) {
        return sender.send("sepolia", one, Runnable::run).toCompletableFuture();
    }

    private String answer(String transactionHash, String contractAddress) {
        return "{\"transaction_hash\":\"" + transactionHash + "\",\"contract_address\":\"" + contractAddress + "\"}";
    }

    private static RpcException refusal(CompletableFuture<JsonNode> ended) {
        Throwable failure = catchThrowable(() -> ended.getNow(null));
        for (int i = 0; i < 5 && failure instanceof CompletionException; i++) {
            failure = failure.getCause();
        }
        return (RpcException) failure;
    }

    @Test
    void itGoesByNameInItsNormalFormUnderTheNodesName() {
        send(deployment);
        assertThat(chain.sent).hasSize(1);
        assertThat(chain.last().network()).isEqualTo("sepolia");
        assertThat(chain.last().method()).isEqualTo(METHOD);
        assertThat(chain.last().params()).isEqualTo(Samples.named(deployment.normal()));
        assertThat(meters.counts).containsEntry("sent", 1L);
    }

    @Test
    void anAnswerThatSaysTheSameIsGivenAsItCame() {
        CompletableFuture<JsonNode> answer = send(deployment);
        String padded = answer("0x0" + hash.substring(2).toUpperCase(Locale.ROOT), address);
        chain.last().answer(padded);
        assertThat(answer.join().toString()).isEqualTo(padded);
        assertThat(meters.counts).containsEntry("contradicted", 0L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"transaction_hash\":\"0x1\",\"contract_address\":\"ADDRESS\"}",
                "{\"transaction_hash\":\"HASH\",\"contract_address\":\"0x1\"}",
                "{\"transaction_hash\":\"HASH\"}",
                "{\"contract_address\":\"ADDRESS\"}",
                "{\"transaction_hash\":7,\"contract_address\":[]}",
                "{\"transaction_hash\":\"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\"}",
                "[]",
                "null",
                "\"HASH\""
            })
    void anAnswerThatSaysSomethingElseIsAnErrorThatTellsBoth(String form) {
        String told = form.replace("HASH", hash).replace("ADDRESS", address);
        CompletableFuture<JsonNode> answer = send(deployment);
        chain.last().answer(told);
        RpcException error = refusal(answer);
        assertThat(error.code()).isEqualTo(63);
        assertThat(error.data().path("accepted").booleanValue()).isTrue();
        assertThat(error.data().path("computed")).isEqualTo(Samples.json(answer(hash, address)));
        assertThat(error.data().has("upstream")).isTrue();
        assertThat(meters.counts).containsEntry("contradicted", 1L);
    }

    @Test
    void whatANodeToldIsCutShort() {
        CompletableFuture<JsonNode> answer = send(deployment);
        chain.last().answer(answer("x".repeat(10_000), address));
        JsonNode told = refusal(answer).data().path("upstream");
        assertThat(told.path("transaction_hash").asString()).hasSize(81);
        assertThat(told.path("contract_address").asString()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(ints = {28, 52, 53, 54, 55, 58, 59, 61, 63, 64, 65, -32603, -32005})
    void errorsPassAsTheyCame(int code) {
        JsonNode data = Samples.json("{\"reason\":[1,\"two\"]}");
        CompletableFuture<JsonNode> answer = send(deployment);
        chain.last().refuse(code, "said so", data);
        RpcException error = refusal(answer);
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.getMessage()).isEqualTo("said so");
        assertThat(error.data()).isEqualTo(data);
    }

    @Test
    void theSameWhileItIsUnderWayIsSentOnce() {
        CompletableFuture<JsonNode> first = send(deployment);
        transaction.put("nonce", "0x000");
        CompletableFuture<JsonNode> second = send(read());
        assertThat(chain.sent).hasSize(1);
        chain.last().answer(answer(hash, address));
        assertThat(second.join()).isEqualTo(first.join());
        assertThat(meters.counts).containsEntry("joined", 1L).containsEntry("sent", 1L);
        send(deployment);
        assertThat(chain.sent).as("the first has ended").hasSize(2);
    }

    @Test
    void nobodyEndsItForTheOthers() {
        CompletableFuture<JsonNode> first = send(deployment);
        CompletableFuture<JsonNode> second = send(deployment);
        first.completeExceptionally(new IllegalStateException("one does not want to wait"));
        chain.last().answer(answer(hash, address));
        assertThat(second.join().path("transaction_hash").stringValue()).isEqualTo(hash);
    }

    @Test
    void anotherSignatureIsAnotherCall() {
        send(deployment);
        transaction.set("signature", Samples.json("[\"0x1\",\"0x2\"]"));
        send(read());
        assertThat(chain.sent).hasSize(2);
    }

    @Test
    void oneThatWasTakenAndIsSentAgainIsAnsweredLikeTheFirstTime() {
        send(deployment);
        chain.last().answer(answer(hash, address));
        CompletableFuture<JsonNode> again = send(deployment);
        chain.last().refuse(59, "already", null);
        assertThat(again.join()).isEqualTo(Samples.json(answer(hash, address)));
        assertThat(meters.counts).containsEntry("repeated", 1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32603, 63})
    void oneThatMayHaveBeenTakenAndIsSentAgainIsAnsweredToo(int code) {
        send(deployment);
        chain.last().refuse(code, "no upstream could answer: the connection broke", null);
        CompletableFuture<JsonNode> again = send(deployment);
        chain.last().refuse(59, "already", null);
        assertThat(again.join()).isEqualTo(Samples.json(answer(hash, address)));
    }

    @ParameterizedTest
    @ValueSource(ints = {28, 52, 53, 54, 55, 58, 59, 61, 64, 65, -32601, -32602, -32005})
    void oneThatWasNotTakenIsNotRemembered(int code) {
        send(deployment);
        chain.last().refuse(code, "no", null);
        assertThat(meters.gauges.get("recent").getAsLong()).isZero();
        CompletableFuture<JsonNode> again = send(deployment);
        chain.last().refuse(59, "already", null);
        assertThat(refusal(again).code()).isEqualTo(59);
    }

    @Test
    void oneThatWasTakenStaysRememberedForItsTime() {
        send(deployment);
        chain.last().answer(answer(hash, address));
        send(deployment);
        chain.last().refuse(52, "Invalid transaction nonce", null);
        CompletableFuture<JsonNode> again = send(deployment);
        chain.last().refuse(59, "already", null);
        assertThat(again).isCompleted();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        CompletableFuture<JsonNode> late = send(deployment);
        chain.last().refuse(59, "already", null);
        assertThat(refusal(late).code()).isEqualTo(59);
    }

    private Expected remembered() {
        return recent.get(DeploymentKey.unsigned("sepolia", deployment.normal()));
    }

    @Test
    void whatNoNodeTookIsNeverHashed() {
        send(deployment);
        assertThat(remembered()).isEqualTo(Expected.UNKNOWN);
        chain.last().refuse(-32603, "no upstream could answer: the connection broke", null);
        assertThat(remembered()).isEqualTo(Expected.UNKNOWN);
        CompletableFuture<JsonNode> again = send(deployment);
        chain.last().refuse(55, "Account validation failed", null);
        assertThat(refusal(again).code()).isEqualTo(55);
        assertThat(remembered()).isEqualTo(Expected.UNKNOWN);
    }

    @Test
    void anAnswerIsJudgedWhereTheCallersWorkIsDone() {
        List<Runnable> tasks = new ArrayList<>();
        CompletableFuture<JsonNode> taken =
                sender.send("sepolia", deployment, tasks::add).toCompletableFuture();
        chain.last().answer(answer(hash, address));
        assertThat(taken).isNotDone();
        assertThat(remembered()).isEqualTo(Expected.UNKNOWN);
        tasks.remove(0).run();
        assertThat(taken).isCompleted();
        assertThat(remembered()).isEqualTo(new Expected(Felt.parseHex(hash), Felt.parseHex(address)));
    }

    @Test
    void anotherSignatureOfOneThatWasTakenIsKnownToo() {
        send(deployment);
        chain.last().answer(answer(hash, address));
        transaction.set("signature", Samples.json("[\"0x1\",\"0x2\"]"));
        CompletableFuture<JsonNode> again = send(read());
        chain.last().refuse(59, "already", null);
        assertThat(again.join()).isEqualTo(Samples.json(answer(hash, address)));
        transaction.put("tip", "0x1");
        CompletableFuture<JsonNode> other = send(read());
        chain.last().refuse(59, "already", null);
        assertThat(refusal(other).code()).isEqualTo(59);
    }

    private Deployment bare() {
        transaction.set("resource_bounds", Samples.json("{\"l1_gas\":\"0x0A\",\"l2_gas\":\"0x0\"}"));
        return read();
    }

    @Test
    void singleHexStringsGoVerbatimToTheNetworkThatTakesThem() {
        chain.chains.put("gateway", Samples.SEPOLIA);
        CompletableFuture<JsonNode> answer = send(bare());
        assertThat(chain.last().network()).isEqualTo("gateway");
        assertThat(chain.last().params().at("/deploy_account_transaction/resource_bounds"))
                .isEqualTo(transaction.path("resource_bounds"));
        chain.last().answer(answer("0x123", address));
        assertThat(answer.join().path("transaction_hash").stringValue()).isEqualTo("0x123");
        CompletableFuture<JsonNode> again = send(bare());
        chain.last().refuse(59, "already", null);
        assertThat(again.join()).isEqualTo(Samples.json(answer("0x123", address)));
        CompletableFuture<JsonNode> wrong = send(bare());
        chain.last().answer(answer("0x123", "0x5"));
        assertThat(refusal(wrong)
                        .data()
                        .path("computed")
                        .path("contract_address")
                        .stringValue())
                .isEqualTo(address);
    }

    @Test
    void alreadyThereSaysNothingOfAHashThatNobodyKnows() {
        chain.chains.put("gateway", Samples.SEPOLIA);
        send(bare());
        chain.last().refuse(-32603, "no answer in time", null);
        CompletableFuture<JsonNode> again = send(bare());
        chain.last().refuse(59, "already", null);
        assertThat(refusal(again).code()).isEqualTo(59);
    }

    @Test
    void singleHexStringsGoToTheNodesOfTheirOwnNetworkWhereNoOtherIsNamed() {
        Deployment bare = bare();
        chain.chains.put("main", Samples.SEPOLIA);
        CompletableFuture<JsonNode> taken =
                sender.send("main", bare, Runnable::run).toCompletableFuture();
        assertThat(chain.last().network()).isEqualTo("main");
        chain.last().answer(answer("0x123", address));
        assertThat(taken.join().path("transaction_hash").stringValue()).isEqualTo("0x123");
    }

    @Test
    void whereNoNodeTakesSingleHexStringsTheErrorSaysWhatHelps() {
        Deployment bare = bare();
        chain.chains.put("main", Samples.SEPOLIA);
        CompletableFuture<JsonNode> refused =
                sender.send("main", bare, Runnable::run).toCompletableFuture();
        chain.last().refuse(-32602, "Invalid params", null);
        RpcException refusal = refusal(refused);
        assertThat(refusal.code()).isEqualTo(-32602);
        assertThat(refusal)
                .hasMessageContaining("objects with max_amount and max_price_per_unit")
                .hasMessageContaining("plugins.l2-deploy.bare-bounds.main");
        assertThat(refusal.data().path(0).path("got").stringValue()).contains("Invalid params");
    }

    @Test
    void networksForSingleHexStringsAreOfTheSameChain() {
        assertThat(destinations.problems())
                .containsExactly("bare-bounds.sepolia: gateway (expected: a network of the same chain)");
        chain.chains.put("gateway", Samples.SEPOLIA);
        assertThat(destinations.problems()).isEmpty();
        chain.chains.clear();
        assertThat(destinations.problems())
                .isEqualTo(List.of("bare-bounds.sepolia: gateway (expected: for a network that there is)"));
    }
}
