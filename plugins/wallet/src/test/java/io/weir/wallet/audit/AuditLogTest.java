package io.weir.wallet.audit;

import static io.weir.wallet.approval.ApprovalFixture.asked;
import static io.weir.wallet.approval.ApprovalFixture.message;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.approval.DecisionLog.By;
import io.weir.wallet.approval.DecisionLog.Decider;
import io.weir.wallet.approval.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the log keeps while its file cannot be written, and what it calls an outcome. */
class AuditLogTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private AuditLog log;

    private Path open(String name) {
        Path file = folder.resolve(name).resolve("audit.jsonl");
        log = AuditLog.of(file, Runnable::run, InstantSource.system());
        return file;
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static List<JsonNode> lines(Path file) throws IOException {
        assertThat(ChainCheck.check(file).problem()).isNull();
        return Files.readAllLines(file).stream().map(JSON::readTree).toList();
    }

    private void refuse() {
        log.ended(asked(transfer("demo", 1)), Decision.REFUSED, Decider.of(By.POLICY, ""));
    }

    @Test
    void linesThatCannotBeWrittenAreKeptInTheirOrder() throws IOException {
        Path file = open("later");
        refuse();
        log.outcome("other", "demo", "0x1", null);
        assertThatThrownBy(() -> log.approved(asked(transfer("demo", 1)), Decider.person("alice")))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("nothing is signed");

        Files.createDirectory(file.getParent());
        log.approved(asked(transfer("demo", 2)), Decider.person("alice"));
        assertThat(lines(file))
                .extracting(line ->
                        line.path("decision").asString(line.path("outcome").asString("")))
                .containsExactly("refused", "submitted", "approved");
        assertThat(lines(file).get(2).path("address").asString("")).isEqualTo("192.0.2.7");
    }

    @Test
    void whatIsLeftOutIsCounted() throws IOException {
        Path file = open("later");
        for (int i = 0; i < 1_003; i++) {
            refuse();
        }
        Files.createDirectory(file.getParent());
        log.outcome("other", "demo", "0x1", null);

        List<JsonNode> lines = lines(file);
        assertThat(lines).hasSize(1_001);
        JsonNode last = lines.get(1_000);
        assertThat(last.path("event").asString()).isEqualTo("missed");
        assertThat(last.path("lines").asLong())
                .as("three refusals and the outcome")
                .isEqualTo(4);
    }

    @Test
    void aTransactionOfWhichNobodyKnowsIsNotCalledFailed() throws IOException {
        Path file = open("");
        var data = JsonNodeFactory.instance.objectNode().put("transaction_hash", "0x7");
        log.answered("one", "demo", null, new RpcException(-32000, "it is not known", data));
        log.answered("two", "demo", null, new RpcException(-32000, "refused"));

        List<JsonNode> lines = lines(file);
        assertThat(lines).extracting(line -> line.path("outcome").asString()).containsExactly("unknown", "failed");
        assertThat(lines.get(0).path("transaction_hash").asString()).isEqualTo("0x7");
    }

    @Test
    void anApprovedRequestThatCannotBeCarriedOutHasOneDecision() throws IOException {
        Path file = open("");
        log.approved(asked(transfer("demo", 1)), Decider.person("alice"));
        log.failed(asked(transfer("demo", 1)), "the key could not be opened");

        assertThat(lines(file))
                .extracting(line -> line.path("event").asString())
                .containsExactly("decision", "outcome");
    }

    @Test
    void aLongRequestIsWrittenWholeIfAPersonDecidedOrSomethingComesOfIt() throws IOException {
        Path file = open("");
        Request request = asked(message("demo", "{\"text\":\"" + "x".repeat(2_000) + "\"}"));
        log.ended(request, Decision.REFUSED, Decider.person("alice"));
        log.ended(request, Decision.APPROVED, Decider.of(By.POLICY, ""));
        log.ended(request, Decision.REFUSED, Decider.of(By.POLICY, ""));
        log.ended(request, Decision.TIMED_OUT, Decider.of(By.TIMEOUT, ""));

        assertThat(lines(file)).extracting(line -> line.has("message")).containsExactly(true, true, false, false);
        assertThat(lines(file))
                .extracting(line -> line.has("message_sha256"))
                .containsExactly(false, false, true, true);
    }
}
