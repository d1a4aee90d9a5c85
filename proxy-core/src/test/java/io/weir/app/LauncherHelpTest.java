package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The help of a program that {@code bin/weir} starts, which takes more than the program itself. */
class LauncherHelpTest {

    private static final String COMMAND = "\n  classes ";
    private static final String OPTION = "\n  --data=DIR ";

    @Test
    void theHelpNamesWhatTheLauncherTakes() {
        assertThat(Main.commandLine(true).getUsageMessage().replace("\r", "")).contains(COMMAND, OPTION);
    }

    @Test
    void theHelpOfTheJarAndOfCommandsDoesNot() {
        CommandLine run = Main.commandLine(true).getSubcommands().get("run");
        for (CommandLine line : new CommandLine[] {Main.commandLine(false), Objects.requireNonNull(run)}) {
            assertThat(line.getUsageMessage()).contains("Usage: weir").doesNotContain("classes", "--data");
        }
    }
}
