package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.PluginCommand;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.TestHost;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the plugin says before it starts: the mistakes, and what will not work. */
class WalletPluginTest {

    private static final String APPROVER = "approver-sha256 = \"" + "a".repeat(64) + "\"";

    @TempDir
    private Path folder;

    private List<String> problems(String settings) {
        return said(settings, WalletPlugin::validate);
    }

    private List<String> warnings(String... settings) {
        return said(String.join("\n", settings), WalletPlugin::warnings);
    }

    private List<String> said(String settings, Function<WalletPlugin, List<String>> by) {
        WalletPlugin plugin = new WalletPlugin();
        try (TestHost host = new TestHost(folder, new LedgerChain(), settings)) {
            plugin.provision(host);
            return by.apply(plugin);
        } finally {
            plugin.close();
        }
    }

    private String passphraseFile(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("passphrase"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return "seeds { passphrase-file = \"" + file + "\", argon2.memory = 8 MiB }";
    }

    private void create(String tenant, String settings) throws Exception {
        WalletPlugin plugin = new WalletPlugin();
        try (TestHost host = new TestHost(folder, new LedgerChain(), settings)) {
            plugin.provision(host);
            PluginCommand create = plugin.commands().stream()
                    .filter(command -> command.name().equals("create"))
                    .findFirst()
                    .orElseThrow();
            PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
            assertThat(create.run(List.of(tenant), nowhere, nowhere)).isZero();
        } finally {
            plugin.close();
        }
    }

    @Test
    void aWalletThatNobodyUsesHasNothingToWarnOf() {
        assertThat(warnings("seeds.passphrase-env = NOWHERE")).isEmpty();
    }

    @Test
    void whatKeepsAConfiguredWalletFromWorkingIsSaid() throws IOException {
        assertThat(warnings("seeds.passphrase-env = NOWHERE", APPROVER))
                .containsExactly("seeds.passphrase-env: the variable that seeds.passphrase-env names is not set"
                        + " (expected: the passphrase, or seeds.passphrase-file)");
        assertThat(warnings("seeds.passphrase-file = \"" + folder.resolve("none") + "\"", APPROVER))
                .singleElement()
                .asString()
                .startsWith("seeds.passphrase-file: its file cannot be read");
        String good = passphraseFile("a long passphrase");
        assertThat(warnings(good, APPROVER)).isEmpty();
        Files.setPosixFilePermissions(folder.resolve("passphrase"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(warnings(good, APPROVER))
                .containsExactly("seeds.passphrase-file: " + folder.resolve("passphrase")
                        + ", which every user may read (expected: mode 600)");
    }

    @Test
    void aSeedThatDoesNotOpenIsNamed() throws Exception {
        create("demo", passphraseFile("another passphrase"));
        String good = passphraseFile("a long passphrase");
        assertThat(warnings(good, APPROVER))
                .singleElement()
                .asString()
                .startsWith("seeds: seed of demo: ")
                .doesNotContain("a long passphrase");
    }

    @Test
    void aWalletInUseWithoutAnApproverIsNamed() throws Exception {
        String good = passphraseFile("a long passphrase");
        create("demo", good);
        assertThat(warnings(good))
                .singleElement()
                .asString()
                .startsWith("approval.policy: ask, and nobody can approve");
        assertThat(warnings(good, APPROVER)).isEmpty();
        assertThat(warnings(good, "approval.policy = deny")).isEmpty();
    }

    @Test
    void policiesOfKeysAndNetworksThatThereAreNotAreNamed() {
        assertThat(problems("approval.tenants.demo.policy = deny")).isEmpty();
        assertThat(problems("""
                        approval.tenants {
                          dmo.policy = deny
                          demo {
                            policy = allow, contracts = [], functions = [], max-fee-fri = 1, max-fee-per-day-fri = 1
                            networks = [testnet, tesnet]
                          }
                        }
                        """))
                .containsExactly(
                        "approval.tenants.\"demo\".networks: tesnet (expected: the name of one of the wallet's networks;"
                                + " did you mean testnet?)",
                        "approval.tenants.\"dmo\": no such caller (expected: the name of an API key; did you mean demo?)");
    }
}
