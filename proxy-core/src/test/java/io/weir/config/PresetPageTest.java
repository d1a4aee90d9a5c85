package io.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.NetworkSettings;
import io.weir.verify.ChainFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The presets of chains, held against the table of the page that describes the settings. */
@Tag("rules")
class PresetPageTest {

    private static final Path PAGE = Path.of("..", "conf", "settings.md");
    private static final String HEAD = "### Presets\n\n";

    private static NetworkConfig network(String preset) {
        return NetworkSettings.of("a", "preset = " + preset);
    }

    @Test
    void theTableOfPresetsIsTrue() throws IOException {
        String page = Files.readString(PAGE);
        List<String> table = page.substring(page.indexOf(HEAD) + HEAD.length())
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();

        assertThat(table)
                .containsExactlyElementsOf(
                        ChainPreset.names().stream().map(PresetPageTest::row).toList());
    }

    private static String row(String preset) {
        NetworkConfig network = network(preset);
        String also = network.verify() == Verify.OFF ? "; also `verify = off`" : "";
        return String.format(
                Locale.ROOT,
                "| `%s` | %s | `%s` | %,d | %s | %s | %d%s |",
                preset,
                network.chainId(),
                network.family().name().toLowerCase(Locale.ROOT),
                network.finalityDepth(),
                duration(network.blockMillis()),
                duration(network.head().maxAgeMillis()),
                network.health().maxLag(),
                also);
    }

    private static String duration(long millis) {
        if (millis == 0) {
            return "–";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    @Test
    void aPresetHasTheFamilyThatIsKnownByTheChainsId() {
        assertThat(ChainPreset.names()).allSatisfy(preset -> {
            NetworkConfig network = network(preset);

            assertThat(ChainFamily.ofKnown(network.chainId())).isEqualTo(ChainFamily.of(network.family()));
        });
    }
}
