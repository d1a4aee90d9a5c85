package io.weir.wallet.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.DecisionLog.Decider;
import io.weir.wallet.audit.AuditLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {
    @TempDir
    private Path folder;

    private Path file;
    private String out = "";
    private String err = "";

    @BeforeEach
    void name() {
        file = folder.resolve("audit.jsonl");
    }

    private int run(Path audited, String... arguments) throws IOException {
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        int code = new AuditCommand(audited)
                .run(List.of(arguments), new PrintStream(toOut, true, UTF_8), new PrintStream(toErr, true, UTF_8));
        out = toOut.toString(UTF_8).strip();
        err = toErr.toString(UTF_8).strip();
        return code;
    }

    private void writeTwo() {
        try (AuditLog log = AuditLog.of(file, Runnable::run, InstantSource.system())) {
            log.approved(ApprovalFixture.asked(ApprovalFixture.transfer("demo", 1)), Decider.person("alice"));
            log.outcome("approval", "demo", "0x1", null);
        }
    }

    @Test
    void anUnchangedLogShowsItsLengthAndItsLastHash() throws IOException {
        writeTwo();
        assertThat(run(file)).isZero();
        String last = Files.readAllLines(file).get(1);
        assertThat(out).startsWith("2 lines, last hash ");
        assertThat(last).endsWith("\"hash\":\"" + out.substring("2 lines, last hash ".length()) + "\"}");
        assertThat(err).isEmpty();
    }

    @Test
    void aChangedLogShowsTheFirstLineThatDoesNotFit() throws IOException {
        writeTwo();
        Files.writeString(file, Files.readString(file).replace("\"demo\"", "\"deme\""));
        assertThat(run(file)).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(err).isEqualTo("line 1: it does not fit its hash (expected: an unchanged line)");
    }

    @Test
    void anUnfinishedLastLineIsSaid() throws IOException {
        writeTwo();
        Files.writeString(file, "{\"seq", StandardOpenOption.APPEND);
        assertThat(run(file)).isZero();
        assertThat(out).startsWith("2 lines");
        assertThat(err).startsWith("the last line is unfinished: 5 bytes");
    }

    @Test
    void withoutAFileNothingIsVerified() throws IOException {
        assertThat(run(file)).isEqualTo(1);
        assertThat(err).endsWith("audit.jsonl: no such file");
        assertThat(run(null)).isEqualTo(1);
        assertThat(err).startsWith("audit.file: empty");
    }

    @Test
    void wrongUsageIsSaidWithTheExitCodeForIt() throws IOException {
        assertThat(run(file, "--help")).isEqualTo(2);
        assertThat(err).isEqualTo("usage: plugin wallet audit");
    }
}
