package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.PageCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
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
        commands.run(folder, UnaryOperator.identity());
    }
}
