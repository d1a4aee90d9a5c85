package io.weir.api.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldersTest {

    private static final Path BESIDE = Path.of("/etc/weir");
    private static final Folders UNPACKED = Folders.of("/opt/weir", "/var/lib/weir");

    @ParameterizedTest
    @CsvSource({
        "data, /var/lib/weir",
        "data/results, /var/lib/weir/results",
        "access.log, /var/lib/weir/access.log",
        "database, /var/lib/weir/database",
        "/srv/results, /srv/results"
    })
    void writtenPathsBeginAtTheDataFolder(String path, Path expected) {
        assertThat(UNPACKED.written(path, BESIDE.resolve(path))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"plugins, /opt/weir/plugins", "/srv/plugins, /srv/plugins"})
    void readPathsBeginAtTheDistribution(String path, Path expected) {
        assertThat(UNPACKED.read(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"data/results", "access.log", "/srv/results"})
    void withoutADataFolderAWrittenPathBeginsAtItsFile(String path) {
        for (Folders folders :
                new Folders[] {Folders.WORKING_DIRECTORY, Folders.of(null, ""), Folders.of("/opt/weir", null)}) {
            assertThat(folders.written(path, BESIDE.resolve(path))).isEqualTo(BESIDE.resolve(path));
        }
    }

    @Test
    void aFolderOfTheDistributionYieldsToOneBesideTheFile(@TempDir Path folder) throws IOException {
        Path beside = folder.resolve("plugins");
        assertThat(UNPACKED.read("plugins", beside)).isEqualTo(Path.of("/opt/weir/plugins"));
        Files.createDirectory(beside);
        assertThat(UNPACKED.read("plugins", beside)).isEqualTo(beside);
    }

    @Test
    void aRelativeDataFolderDoesNotChangeWithTheWorkingDirectory() {
        assertThat(Folders.of(null, "here").written("data", BESIDE))
                .isEqualTo(Path.of("here").toAbsolutePath());
    }
}
