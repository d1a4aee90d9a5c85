package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class MachineTest {

    @TempDir
    Path folder;

    @Test
    void aMissingProgramSkipsTheTestWithTheCommandThatInstallsIt() {
        assertThatThrownBy(() -> Machine.assumeProgram("no-such-program", "apt-get install none"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("no-such-program is not on the PATH: apt-get install none");
    }

    @Test
    void tooFewOpenFilesSkipTheTestWithTheCommandThatAllowsThem() {
        Machine.assumeOpenFiles(10);
        assertThatThrownBy(() -> Machine.assumeOpenFiles(Long.MAX_VALUE))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageEndingWith("ulimit -n " + Long.MAX_VALUE);
    }

    @Test
    void aProgramIsAnExecutableFileInAFolderOfThePath() throws Exception {
        Path file = Files.createFile(folder.resolve("tool"));
        String path = "/no/such/folder:" + folder;
        assertThat(Machine.isOnPath("tool", path)).isFalse();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(Machine.isOnPath("tool", path)).isTrue();
        assertThat(Machine.isOnPath("tool", "/no/such/folder")).isFalse();
    }
}
