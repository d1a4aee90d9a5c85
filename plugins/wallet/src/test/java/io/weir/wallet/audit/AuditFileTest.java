package io.weir.wallet.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The chain of lines, across restarts and crashes, and its verification. */
class AuditFileTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-10T00:00:00Z"));

    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void name() {
        path = folder.resolve("audit.jsonl");
    }

    private AuditFile file() {
        return new AuditFile(path, CLOCK);
    }

    private static ObjectNode content(String text) {
        return JsonNodeFactory.instance.objectNode().put("event", text);
    }

    private void write(String... texts) throws IOException {
        try (AuditFile file = file()) {
            for (String text : texts) {
                file.append(content(text));
            }
        }
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(path);
    }

    private void replace(List<String> lines) throws IOException {
        Files.write(path, lines);
    }

    private String problem() throws IOException {
        return ChainCheck.check(path).problem();
    }

    @Test
    void eachLineHoldsTheHashOfTheOneBeforeAcrossRestarts() throws IOException {
        write("one", "two \"ü\ud83d\ude00\n\u2028");
        write("three");

        ChainCheck.Result result = ChainCheck.check(path);
        assertThat(result.problem()).isNull();
        assertThat(result.lines()).isEqualTo(3);
        assertThat(result.unfinished()).isZero();
        assertThat(lines()).hasSize(3);
        assertThat(lines().get(0))
                .startsWith("{\"seq\":1,\"prev\":\"" + "0".repeat(64) + "\",\"event\":\"one\",\"hash\":\"");
        assertThat(lines().get(2)).startsWith("{\"seq\":3,").endsWith("\"hash\":\"" + result.lastHash() + "\"}");
    }

    @Test
    void theHashIsThatOfTheLineWithoutIt() throws IOException {
        write("one");
        String line = lines().get(0);
        int member = line.indexOf(",\"hash\"");
        String hash =
                ChainLine.sha256((line.substring(0, member) + "}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(line.substring(member)).isEqualTo(",\"hash\":\"" + hash + "\"}");
    }

    @Test
    void aChangedLineIsFound() throws IOException {
        write("one", "two", "three");
        List<String> lines = new ArrayList<>(lines());
        lines.set(1, lines.get(1).replace("two", "tow"));
        replace(lines);
        assertThat(problem()).isEqualTo("line 2: it does not fit its hash (expected: an unchanged line)");
    }

    @Test
    void aChangedLineWithItsHashMadeAnewIsFoundByTheNextOne() throws IOException {
        write("one", "two", "three");
        List<String> lines = new ArrayList<>(lines());
        String first = lines.get(0).replaceAll(".*\"hash\":\"([0-9a-f]+)\"}", "$1");
        lines.set(1, ChainLine.text(2, first, content("tow")));
        replace(lines);
        assertThat(problem()).startsWith("line 3: it follows another line");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aRemovedLineIsFound(int removed) throws IOException {
        write("one", "two", "three");
        List<String> lines = new ArrayList<>(lines());
        lines.remove(removed);
        replace(lines);
        assertThat(problem())
                .isEqualTo("line " + (removed + 1) + ": its number is " + (removed + 2) + " (expected: " + (removed + 1)
                        + ")");
    }

    @Test
    void linesInAnotherOrderAreFound() throws IOException {
        write("one", "two", "three");
        List<String> lines = new ArrayList<>(lines());
        Collections.swap(lines, 1, 2);
        replace(lines);
        assertThat(problem()).startsWith("line 2: its number is 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"seq\":2,\"prev\":\"", "{", "{\"calls\":[{}", "\0\0\0\0", "{\"a\":1}\0"})
    void aTornLastLineIsSetAsideWithALineThatSaysSo(String torn) throws IOException {
        write("one");
        Files.writeString(path, torn, StandardOpenOption.APPEND);
        assertThat(ChainCheck.check(path).problem()).isNull();
        assertThat(ChainCheck.check(path).unfinished()).isEqualTo(torn.length());

        write("two");

        ChainCheck.Result result = ChainCheck.check(path);
        assertThat(result.problem()).isNull();
        assertThat(result.lines()).isEqualTo(3);
        assertThat(Files.readString(path)).contains("\n" + torn + "\n{\"seq\":2,");
        assertThat(lines().get(2)).contains("\"event\":\"torn\",\"torn_bytes\":" + torn.length());
    }

    @Test
    void aCrashWhileATornLineIsSetAsideLosesNeither() throws IOException {
        write("one");
        Files.writeString(path, "{\"seq\":2,\"pr\n{\"seq\":2,\"prev\":\"0", StandardOpenOption.APPEND);
        write("two");
        assertThat(ChainCheck.check(path).problem()).isNull();
        assertThat(ChainCheck.check(path).lines()).isEqualTo(3);
    }

    @Test
    void aTornFirstLineIsSetAsideToo() throws IOException {
        Files.writeString(path, "{\"se");
        write("one");
        assertThat(ChainCheck.check(path).problem()).isNull();
        assertThat(ChainCheck.check(path).lines()).isEqualTo(2);
    }

    @Test
    void aLineOfWhichOnlyTheEndIsMissingStays() throws IOException {
        write("one");
        Files.writeString(path, Files.readString(path).stripTrailing());
        write("two");
        assertThat(problem()).isNull();
        assertThat(lines()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"torn", "tron"})
    void aTornLineThatWasChangedOrTakenAwayIsFound(String change) throws IOException {
        write("one");
        Files.writeString(path, "torn", StandardOpenOption.APPEND);
        write("two");
        List<String> lines = new ArrayList<>(lines());
        if (change.equals("torn")) {
            lines.remove(1);
        } else {
            lines.set(1, change);
        }
        replace(lines);
        assertThat(problem()).startsWith("line 2: ");
    }

    @Test
    void aChangedLastLineIsNeverContinued() throws IOException {
        write("one", "two");
        Files.writeString(path, Files.readString(path).replace("two", "tow"));
        assertThatThrownBy(() -> write("three"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not fit its hash");
        assertThat(problem()).startsWith("line 2: ");
    }

    @Test
    void aLongLogIsContinuedFromItsEnd() throws IOException {
        try (AuditFile file = file()) {
            for (int line = 0; line < 6; line++) {
                file.append(content("x".repeat(ChainLine.MAX_BYTES - 1000)));
            }
        }
        write("last");
        assertThat(ChainCheck.check(path).lines()).isEqualTo(7);
        assertThat(problem()).isNull();
    }

    @Test
    void aLineOverTheBoundIsRefusedAndTheNextOneFits() throws IOException {
        try (AuditFile file = file()) {
            assertThatThrownBy(() -> file.append(content("x".repeat(ChainLine.MAX_BYTES))))
                    .isInstanceOf(IOException.class);
            file.append(content("one"));
        }
        assertThat(ChainCheck.check(path).lines()).isEqualTo(1);
        assertThat(problem()).isNull();
    }

    @Test
    void twoWritersDoNotForkTheChain() throws IOException {
        try (AuditFile first = file();
                AuditFile second = file()) {
            first.append(content("one"));
            assertThatThrownBy(() -> second.append(content("two"))).hasMessageContaining("another wallet writes it");
        }
        write("two");
        assertThat(problem()).isNull();
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        write("one");
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
            write("two");
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }
}
