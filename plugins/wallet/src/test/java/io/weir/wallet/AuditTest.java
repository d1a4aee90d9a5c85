package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.weir.api.RpcException;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.ApprovalQueue.Claim;
import io.weir.wallet.approval.Request;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.audit.ChainCheck;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.key.SeedException;
import io.weir.wallet.key.SeedVault;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.Secrets;
import io.weir.wallet.testing.TestSeeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The audit log of a whole wallet: what is in it, and that nothing is signed without it. */
class AuditTest {
    private static final String MESSAGE = """
        {"types":{"StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
        {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
        "Note":[{"name":"text","type":"shortstring"}]},
        "primaryType":"Note","domain":{"name":"weir","version":"1","chainId":"SN_SEPOLIA","revision":"1"},
        "message":{"text":"hello"}}
        """;

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    /** The number of lines on the disk each time that a seed is opened. */
    private final List<Long> linesBeforeKey = new CopyOnWriteArrayList<>();

    private Path file;
    private AuditLog audit;
    private ApprovalFixture approvals;
    private WalletFixture wallet;
    private String sender;

    @BeforeEach
    void start() {
        file = folder.resolve("audit.jsonl");
        audit = AuditLog.of(file, executor, InstantSource.system());
        approvals = ApprovalFixture.logging(folder, """
            approval.tenants {
              strange { policy = deny }
              robot {
                policy = allow, contracts = ["*"], functions = ["*"]
                max-fee-fri = "10", max-fee-per-day-fri = "1000"
              }
            }
            """, audit);
        wallet = WalletFixture.audited(folder, chain, approvals.queue(), new WatchedSeeds(), audit);
        sender = wallet.deployedAccount(chain::addContract);
    }

    @AfterEach
    void stop() {
        wallet.close();
        approvals.close();
        audit.close();
        executor.shutdownNow();
    }

    private final class WatchedSeeds implements SeedVault {
        private final SeedVault seeds = new TestSeeds();

        @Override
        public byte[] open(String tenant) throws SeedException {
            linesBeforeKey.add((long) lines().size());
            return seeds.open(tenant);
        }
    }

    private List<JsonNode> lines() {
        try {
            return Files.isRegularFile(file)
                    ? Files.readAllLines(file).stream()
                            .map(WalletFixture.MAPPER::readTree)
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> shown(List<JsonNode> lines) {
        return lines.stream()
                .map(line -> {
                    String event = line.path("event").stringValue();
                    return event + " " + line.path(event).asString("") + " "
                            + line.path("by").asString("");
                })
                .map(String::strip)
                .toList();
    }

    private CompletionStage<JsonNode> pay(Map<String, Object> more) {
        Map<String, Object> params = new HashMap<>(WalletFixture.transferFrom(sender));
        params.putAll(more);
        return wallet.begin("l2Net_sendTransaction", params);
    }

    private CompletionStage<JsonNode> sign() {
        return wallet.begin("l2Net_signMessage", Map.of("typedDataMessage", MESSAGE, "signerAddress", sender));
    }

    private Claim claim() {
        await().atMost(60, SECONDS).until(() -> approvals.queue().parked().size() == 1);
        Request one = approvals.only();
        return approvals.queue().claim(one.id(), "alice");
    }

    private static RpcException failure(CompletionStage<JsonNode> answer) {
        return catchThrowableOfType(RpcException.class, () -> Waiting.forResult(answer));
    }

    private void breakLog() throws IOException {
        audit.close();
    }

    @Test
    void anApprovedTransactionIsNotedBeforeAndAfterItIsSent() throws IOException {
        CompletionStage<JsonNode> answer = pay(Map.of("requestId", "order-1"));
        claim().approve();
        String hash = Waiting.forResult(answer).path("transaction_hash").stringValue();

        List<JsonNode> lines = lines();
        assertThat(shown(lines)).containsExactly("decision approved approver", "signed", "outcome submitted");
        JsonNode decision = lines.get(0);
        assertThat(decision.path("tenant").stringValue()).isEqualTo("demo");
        assertThat(decision.path("request_id").stringValue()).isEqualTo("order-1");
        assertThat(decision.path("kind").stringValue()).isEqualTo("transaction");
        assertThat(decision.path("time").stringValue()).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
        JsonNode call = decision.path("calls").path(0);
        assertThat(call.path("contract").stringValue()).isEqualTo(ScriptedNode.TOKEN.toPaddedHex());
        assertThat(call.path("function").stringValue()).isEqualTo("transfer");
        assertThat(call.path("arguments")).isNotEmpty();
        assertThat(lines.subList(1, 3)).allSatisfy(line -> {
            assertThat(line.path("transaction_hash").stringValue()).isEqualTo(hash);
            assertThat(line.path("approval")).isEqualTo(decision.path("approval"));
        });
        assertThat(linesBeforeKey.get(linesBeforeKey.size() - 1))
                .as("on the disk before the key signs")
                .isEqualTo(1);
        assertThat(ChainCheck.check(file).problem()).isNull();
    }

    @Test
    void aRefusedRequestIsNoted() {
        CompletionStage<JsonNode> answer = pay(Map.of());
        claim().refuse();
        assertThat(shown(lines()))
                .as("on the disk when the person learns of it")
                .containsExactly("decision refused approver");
        assertThat(failure(answer).code()).isEqualTo(4001);
    }

    @Test
    void aFailureAfterTheApprovalIsTheOutcome() {
        chain.expect(ScriptedNode.Mishap.REFUSED);
        CompletionStage<JsonNode> answer = pay(Map.of());
        claim().approve();
        String message = failure(answer).getMessage();
        assertThat(shown(lines())).containsExactly("decision approved approver", "signed", "outcome failed");
        assertThat(lines().get(2).path("error").stringValue()).isEqualTo(message);
    }

    @Test
    void aMessageIsNotedBeforeAKeySigns() {
        CompletionStage<JsonNode> answer = sign();
        Claim claim = claim();
        linesBeforeKey.clear();
        claim.approve();
        String signature = Waiting.forResult(answer).stringValue();
        assertThat(linesBeforeKey).containsExactly(1L);
        assertThat(shown(lines())).containsExactly("decision approved approver", "outcome completed");
        assertThat(lines().get(0).path("message").path("message").path("text").stringValue())
                .isEqualTo("hello");
        assertThat(lines().toString()).doesNotContain(signature);
    }

    @Test
    void aShownKeyIsNotedBeforeItIsOpenedAndIsNotInTheLog() throws Exception {
        CompletionStage<JsonNode> answer = wallet.begin("l2Net_displayPrivateKey", Map.of("userAddress", sender));
        Claim claim = claim();
        linesBeforeKey.clear();
        byte[] key = claim.openKey();
        claim.approve();
        Waiting.forResult(answer);
        assertThat(linesBeforeKey).containsExactly(1L);
        assertThat(shown(lines())).containsExactly("decision approved approver", "outcome completed");
        Secrets secrets = Secrets.of(TestSeeds.SENTENCE);
        assertThat(secrets.in(key)).isNotEmpty();
        assertThat(secrets.in(Files.readString(file))).isEmpty();
    }

    @Test
    void whatAPolicyDecidesNamesTheSettingOfThePolicy() {
        approvals.ask(ApprovalFixture.transfer("robot", 1)).join();
        approvals.ask(ApprovalFixture.transfer("strange", 1)).join();
        await().atMost(60, SECONDS).until(() -> lines().size() == 2);
        assertThat(shown(lines())).containsExactly("decision approved policy", "decision refused policy");
        assertThat(lines())
                .extracting(line -> line.path("detail").stringValue())
                .containsExactly("approval.tenants.robot", "approval.tenants.strange");
    }

    @Test
    void aReplacementIsNotedLikeAnApproval() {
        chain.allowGaps();
        CompletionStage<JsonNode> answer = pay(Map.of());
        claim().approve();
        String first = Waiting.forResult(answer).path("transaction_hash").stringValue();
        Waiting.forResult(
                wallet.remedies().cancel(wallet.remedies().replaceable().get(0), "alice"));
        List<JsonNode> lines = lines();
        assertThat(shown(lines.subList(3, 6)))
                .containsExactly("decision approved approver", "signed", "outcome submitted");
        assertThat(lines.get(3).path("kind").stringValue()).isEqualTo("cancel");
        assertThat(lines.get(3).path("replaces").stringValue()).isEqualTo(first);
    }

    @Test
    void nothingIsSignedIfTheLogCannotBeWritten() throws IOException {
        CompletionStage<JsonNode> transaction = pay(Map.of());
        Claim claim = claim();
        breakLog();
        linesBeforeKey.clear();
        assertThatThrownBy(claim::approve).isInstanceOf(RpcException.class).hasMessageContaining("audit log");
        assertThat(failure(transaction)).hasMessageContaining("audit log: cannot be written, nothing is signed");

        CompletionStage<JsonNode> message = sign();
        assertThatThrownBy(claim()::approve).isInstanceOf(RpcException.class);
        assertThat(failure(message).code()).isEqualTo(-32000);
        assertThat(approvals.ask(ApprovalFixture.transfer("robot", 1))).isCompletedExceptionally();

        assertThat(linesBeforeKey).isEmpty();
        assertThat(chain.nonces(felt(sender))).isEmpty();
    }

    @Test
    void nothingIsReplacedOrShownIfTheLogCannotBeWritten() throws IOException {
        chain.allowGaps();
        CompletionStage<JsonNode> answer = pay(Map.of());
        claim().approve();
        Waiting.forResult(answer);
        CompletionStage<JsonNode> key = wallet.begin("l2Net_displayPrivateKey", Map.of("userAddress", sender));
        Claim claim = claim();
        breakLog();
        linesBeforeKey.clear();
        assertThatThrownBy(claim::openKey).isInstanceOf(RpcException.class).hasMessageContaining("audit log");
        assertThat(failure(key)).hasMessageContaining("audit log");
        assertThat(linesBeforeKey).isEmpty();
        assertThatThrownBy(() -> Waiting.forResult(
                        wallet.remedies().cancel(wallet.remedies().replaceable().get(0), "alice")))
                .hasMessageContaining("audit log");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }
}
