package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.TestHost;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mistakes that the plugin reports before it starts. */
class WalletPluginTest {

    @TempDir
    private Path folder;

    private List<String> problems(String settings) {
        WalletPlugin plugin = new WalletPlugin();
        try (TestHost host = new TestHost(folder, new LedgerChain(), settings)) {
            plugin.provision(host);
            return plugin.validate();
        } finally {
            plugin.close();
        }
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
