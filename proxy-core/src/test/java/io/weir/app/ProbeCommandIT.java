package io.weir.app;

import io.weir.testing.AnvilNode;
import io.weir.testing.GethNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeCommandIT {

    @TempDir
    private Path folder;

    @Test
    void thin() throws IOException {
        try (AnvilNode anvil = AnvilNode.start();
                GethNode geth = GethNode.start()) {
            Path file = Files.writeString(folder.resolve("weir.conf"), """
                    networks {
                      anvil { chain-id = 31337, upstreams.a.url = "%s" }
                      geth { chain-id = 1337, upstreams.b.url = "%s" }
                    }
                    default-network = anvil
                    plugins.path = []
                    """.formatted(anvil.url(), geth.url()));
            CommandLineRun run = CommandLineRun.of("probe", "--config", file.toString());
            System.out.println(run.out() + run.err());
            System.out.println(CommandLineRun.of("probe", "--json", "--network", "geth", "--config", file.toString())
                    .out());
        }
    }
}
