package io.weir.upstream.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes cost today, over the night and over a restart. */
class UnitLedgerTest {

    private final AtomicLong wall =
            new AtomicLong(Instant.parse("2026-03-01T23:59:00Z").toEpochMilli());

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void choose() {
        folder = temporary.resolve("data");
    }

    private UnitLedger read() throws IOException {
        return UnitLedger.read(folder, wall::get);
    }

    @Test
    void theCountSurvivesARestart() throws IOException {
        UnitLedger ledger = read();
        ledger.of("main", "alchemy").add(1_000);
        ledger.of("main", "alchemy").add(26);
        ledger.of("side", "alchemy").add(5);
        ledger.ofKey("shop").add(9);
        ledger.close();
        UnitLedger next = read();
        assertThat(next.ofKey("shop").used()).isEqualTo(9);
        assertThat(next.ofKey("other").used()).isZero();
        assertThat(next.of("main", "alchemy").used()).isEqualTo(1_026);
        assertThat(next.of("side", "alchemy").used()).isEqualTo(5);
        assertThat(next.of("main", "infura").used()).isZero();
        assertThat(folder).isDirectoryContaining("glob:**/units.json").isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void theCountSurvivesAKillAMomentLater() throws IOException {
        try (UnitLedger ledger = UnitLedger.open(folder, wall::get)) {
            ledger.of("main", "alchemy").add(1_000);
            await().atMost(2, TimeUnit.SECONDS)
                    .ignoreExceptions()
                    .until(() -> read().of("main", "alchemy").used() == 1_000);
        }
    }

    @Test
    void itBeginsAgainAtMidnightUtc() throws IOException {
        UnitLedger ledger = read();
        DayUnits units = ledger.of("main", "alchemy");
        units.add(1_000);
        assertThat(units.nanosLeft()).isEqualTo(TimeUnit.MINUTES.toNanos(1));
        wall.addAndGet(59_999);
        assertThat(units.used()).isEqualTo(1_000);
        ledger.close();
        wall.addAndGet(1);
        assertThat(units.used()).isZero();
        assertThat(read().of("main", "alchemy").used()).isZero();
    }

    @Test
    void whatIsAddedOnALaterDayBeginsWithoutTheUnitsOfTheFile() throws IOException {
        UnitLedger ledger = read();
        ledger.ofKey("shop").add(9);
        ledger.close();
        UnitLedger next = read();
        wall.addAndGet(60_000);
        assertThat(next.ofKey("shop").used()).isZero();
    }

    @Test
    void aClockThatWasSetBackBeginsNoDayAgain() throws IOException {
        DayUnits units = read().of("main", "alchemy");
        wall.addAndGet(60_000);
        units.add(7);
        wall.addAndGet(-120_000);
        assertThat(units.used()).isEqualTo(7);
    }

    @Test
    void aFileThatIsNotUnderstoodIsNotOverwritten() throws IOException {
        read().close();
        for (String content : new String[] {"{\"day\":\"2026-03-", "", "[]", "{\"used\":{}}"}) {
            Files.writeString(folder.resolve("units.json"), content);
            assertThatThrownBy(this::read)
                    .hasMessage("server.data: " + folder.resolve("units.json")
                            + " (expected: the file as it was written, or none)");
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Files.writeString(folder, "a file");
        assertThatThrownBy(this::read)
                .hasMessage("server.data: " + folder + " (expected: a folder that can be made and written to)");
    }

    @Test
    void nothingIsWrittenWithoutAChange() throws IOException {
        UnitLedger ledger = read();
        ledger.of("main", "alchemy").add(1);
        ledger.write();
        Files.delete(folder.resolve("units.json"));
        ledger.write();
        assertThat(folder.resolve("units.json")).doesNotExist();
        ledger.of("main", "alchemy").add(1);
        ledger.write();
        assertThat(folder.resolve("units.json"))
                .hasContent(
                        "{\"day\":\"2026-03-01\",\"proxy\":\"" + ledger.proxy() + "\",\"used\":{\"main/alchemy\":2}}");
    }
}
