package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.DevelopmentNode;
import io.weir.testing.Machine;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.WeirProcess;
import io.weir.wallet.testing.Approver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the plugin's page from nothing to a working wallet, with the example's configuration and a real node. */
final class TenMinutesIT {
    private static final Path ROOT = Checkout.find().root();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<String> blocks =
            MarkdownBlocks.of(ROOT.resolve("plugins/wallet/README.md")).in("bash");

    @TempDir
    private Path folder;

    @Test
    void everyMethodAnswersAsThePageSays() throws Exception {
        Machine.assumeProgram("curl", "apt-get install curl");
        assertThat(blocks).hasSize(4);
        String functions = blocks.get(2).substring(0, blocks.get(2).indexOf("\n\n") + 2);
        try (DevelopmentNode node = DevelopmentNode.start(folder)) {
            Path configuration = configuration(node.url());
            importSeed(configuration);
            try (WeirProcess proxy = WeirProcess.start(Files.readString(configuration))) {
                await().atMost(PATIENCE).until(() -> proxy.admin().readyStatus() == 200);
                List<String> answers = run(here(blocks.get(2), proxy, node));
                assertThat(answers).hasSize(14).allMatch(answer -> answer.contains("\"result\":"), "a result");
                assertThat(answers.get(13)).contains("\"result\":true");
                String[] last = blocks.get(3).split("\n");
                assertThat(run(here(functions + last[0], proxy, node)).get(0)).contains("Upgrade is not required");
                Thread approver = new Thread(
                        () -> Approver.at(proxy.adminPort(), "approve").decide("approve"));
                approver.start();
                assertThat(run(here(functions + last[1], proxy, node)).get(0)).contains("\"result\":null");
                approver.join(PATIENCE.toMillis());
            }
        }
    }

    private Path configuration(String node) throws IOException {
        String text =
                Files.readString(ROOT.resolve("conf/examples/wallet.conf")).replace("http://127.0.0.1:5050/rpc", node);
        Path passphrase = Files.writeString(folder.resolve("passphrase"), "a passphrase of your own\n");
        Files.setPosixFilePermissions(passphrase, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(folder.resolve("wallet.conf"), text + """
                        server.port = 0
                        admin.port = 0
                        plugins { path = ["%s/plugins"], data = "%s/data" }
                        plugins.wallet.seeds.passphrase-file = "%s"
                        """.formatted(ROOT, folder, passphrase));
    }

    private void importSeed(Path configuration) throws IOException {
        String commands = blocks.get(1);
        String seed = commands.substring(0, commands.lastIndexOf('\n'))
                .replace("proxy-core/", ROOT + "/proxy-core/")
                .replace("conf/examples/wallet.conf", configuration.toString());
        assertThat(run(seed)).isNotEmpty();
    }

    private static String here(String commands, WeirProcess proxy, DevelopmentNode node) {
        return commands.replace("http://127.0.0.1:8545/", "http://127.0.0.1:" + proxy.port() + "/")
                .replace("http://127.0.0.1:5050/rpc", node.url());
    }

    private List<String> run(String commands) {
        try (ChildProcess bash = ChildProcess.start(
                "the page's commands", folder, Map.of(), List.of("bash", "-euo", "pipefail", "-c", commands))) {
            assertThat(bash.awaitExit(PATIENCE)).as(bash.told()).isZero();
            return bash.out().stream().filter(line -> !line.isBlank()).toList();
        }
    }
}
