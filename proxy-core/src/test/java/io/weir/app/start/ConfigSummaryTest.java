package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigSummaryTest {

    private static List<String> notes(String settings) {
        List<String> lines = new ArrayList<>();
        ConfigSummary.unproven(NetworkSettings.of("a", settings), lines);
        return lines;
    }

    @Test
    void aFamilyWhoseAnswersAllHaveRulesNeedsNoNote() {
        assertThat(notes("preset = mainnet")).isEmpty();
        assertThat(notes("preset = base, chain-id = 4242, family = ethereum")).isEmpty();
    }

    @Test
    void theDataThatAFamilyLeavesUnprovenIsNamed() {
        assertThat(notes("preset = polygon"))
                .containsExactly("networks.a: the family polygon leaves unproven: receipts of blocks with a state sync,"
                        + " and since PIP-74 the transactions of such blocks");
        assertThat(notes("chain-id = 295, family = none"))
                .containsExactly("networks.a: the family none leaves unproven: all answers");
        assertThat(notes("chain-id = 295, hashing = none"))
                .containsExactly("networks.a: the family none leaves unproven: all answers");
    }

    @Test
    void aKnownChainWithoutItsFamilyIsNamed() {
        assertThat(notes("chain-id = 10"))
                .containsExactly("networks.a: chain id 10 belongs to the family op"
                        + " (now: ethereum, by which its blocks may not be proven)");
    }

    @Test
    void aNetworkThatVerifiesNothingNeedsNoNote() {
        assertThat(notes("preset = polygon, verify = off")).isEmpty();
    }
}
