package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.start.ConfigReload.FilesPrint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesPrintTest {

    @TempDir
    private Path folder;

    @Test
    void aFileThatComesChangesOrGoesGivesAnotherPrint() throws Exception {
        Path first = Files.writeString(folder.resolve("first"), "one");
        Path second = folder.resolve("second");
        List<Path> files = List.of(first, second);
        FilesPrint missing = FilesPrint.of(files);
        assertThat(FilesPrint.of(files)).isEqualTo(missing);

        Files.writeString(second, "");
        FilesPrint empty = FilesPrint.of(files);
        assertThat(empty).isNotEqualTo(missing);
        Files.writeString(second, "two");
        assertThat(FilesPrint.of(files)).isNotIn(missing, empty);

        Files.delete(second);
        assertThat(FilesPrint.of(files)).isEqualTo(missing);
    }
}
