package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.PageCommands;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the plugin's page. */
final class WalletPageIT {

    @TempDir
    private Path folder;

    @Test
    void everyCommandOfThePageEndsWell() throws IOException {
        PageCommands commands = new PageCommands("plugins/wallet/README.md");
        assertThat(commands.size()).isGreaterThanOrEqualTo(2);
        // A proxy that has been started has made the file of the audit log.
        commands.run(
                folder,
                command -> command.contains("plugin wallet audit")
                        ? "mkdir -p data/plugins/wallet && touch data/plugins/wallet/audit.jsonl && " + command
                        : command);
    }
}
