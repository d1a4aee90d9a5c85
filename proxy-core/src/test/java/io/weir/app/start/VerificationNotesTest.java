package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.load.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationNotesTest {

    @TempDir
    private Path folder;

    private List<String> notes(String network) throws IOException, InvalidConfigException {
        Path file = Files.writeString(
                folder.resolve("weir.conf"),
                "networks.a { upstreams.n.url = \"http://127.0.0.1:1\", " + network + " }");
        return VerificationNotes.of(
                ConfigLoader.load(file, Map.of()).config().networks().values());
    }

    @Test
    void aFamilyWhoseAnswersAllHaveRulesNeedsNoNote() throws Exception {
        assertThat(notes("preset = mainnet")).isEmpty();
        assertThat(notes("preset = base, chain-id = 4242, family = ethereum")).isEmpty();
    }

    @Test
    void theDataThatAFamilyLeavesUnprovenIsNamed() throws Exception {
        assertThat(notes("preset = polygon"))
                .containsExactly("networks.a: the family polygon leaves unproven: receipts of blocks with a state sync,"
                        + " and since PIP-74 the transactions of such blocks");
        assertThat(notes("chain-id = 295, family = none"))
                .containsExactly("networks.a: the family none leaves unproven: all answers");
        assertThat(notes("chain-id = 295, hashing = none"))
                .containsExactly("networks.a: the family none leaves unproven: all answers");
    }

    @Test
    void aKnownChainWithoutItsFamilyIsNamed() throws Exception {
        assertThat(notes("chain-id = 10"))
                .containsExactly("networks.a: chain id 10 belongs to the family op"
                        + " (now: ethereum, by which its blocks may not be proven)");
    }

    @Test
    void aNetworkThatVerifiesNothingNeedsNoNote() throws Exception {
        assertThat(notes("preset = polygon, verify = off")).isEmpty();
    }
}
