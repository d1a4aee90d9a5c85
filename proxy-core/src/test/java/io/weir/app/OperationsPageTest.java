package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.ErrorCode;
import io.weir.transport.request.Rejection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page for operators lists the codes, statuses and commands of the program. */
@Tag("rules")
class OperationsPageTest {

    private static final Path PAGE = Path.of("..", "conf", "operations.md");

    /** The first cells of the table below a heading, then the whole rows. */
    private static List<String> rows(String heading) throws IOException {
        return Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("| "))
                .toList();
    }

    private static List<String> firstCells(String heading) throws IOException {
        return rows(heading).stream()
                .map(row -> row.split(" \\| ")[0].substring(2))
                .toList();
    }

    @Test
    void everyErrorCodeOfTheProxyIsListed() throws IOException {
        assertThat(firstCells("## Error codes"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(ErrorCode.values())
                        .map(code -> String.valueOf(code.code()))
                        .toList());
    }

    @Test
    void everyStatusOfARejectionIsListed() throws IOException {
        assertThat(firstCells("## HTTP statuses"))
                .containsAll(Stream.of(Rejection.Reason.values())
                        .map(OperationsPageTest::status)
                        .toList());
    }

    @Test
    void everyReasonOfARejectionIsListedWithItsStatus() throws IOException {
        List<String> rows = rows("#### `weir_requests_refused_total`: `reason`");
        assertThat(rows).hasSameSizeAs(Rejection.Reason.values());
        for (Rejection.Reason reason : Rejection.Reason.values()) {
            String name = reason.name().toLowerCase(Locale.ROOT);
            assertThat(rows)
                    .as(name)
                    .anyMatch(
                            row -> row.startsWith("| `" + name + "` |") && row.endsWith(": " + status(reason) + " |"));
        }
    }

    @Test
    void everyCommandIsListed() throws IOException {
        String listed = String.join("\n", firstCells("### Commands"));
        assertThat(Main.commandLine().getSubcommands().keySet())
                .allSatisfy(command -> assertThat(listed).contains("`" + command));
    }

    @Test
    void everyExitCodeIsListed() throws IOException {
        assertThat(firstCells("### Exit codes"))
                .containsExactly(
                        String.valueOf(ExitCodes.OK),
                        String.valueOf(ExitCodes.PROBLEM),
                        "2",
                        String.valueOf(ExitCodes.OUT_OF_MEMORY));
    }

    private static String status(Rejection.Reason reason) {
        return reason.status().substring(0, 3);
    }
}
