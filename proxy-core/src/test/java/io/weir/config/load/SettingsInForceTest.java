package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.setting.Folders;
import io.weir.hocon.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings in force, printed as a file. */
class SettingsInForceTest {

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "NODE_URL", "http://127.0.0.1:1/a-secret-path", "KEY_HASH", "ab".repeat(32), "TOKEN", "another-secret");

    private static final String TEXT = """
            networks.a { preset = arbitrum, upstreams {
              n { url = ${NODE_URL}, headers { Authorization = ${TOKEN}, X-Note = "$5 note" } }
              h { preset = hosted, url = ${?NODE_URL} } } }
            defaults.network.health.interval = 3 s
            access.keys.k { sha256 = ${KEY_HASH}, rate { calls-per-second = 5, burst = 10 } }
            server { port = 8545, max-body = 1 MiB, cors.origins = ["https://a.example"] }
            """;

    @TempDir
    private Path folder;

    private List<String> lines(boolean changed) throws IOException, InvalidConfigException {
        return lines(TEXT, changed);
    }

    private List<String> lines(String text, boolean changed) throws IOException, InvalidConfigException {
        Path file = Files.writeString(folder.resolve("weir.conf"), text);
        return ConfigLoader.draft(file, null, ENVIRONMENT, Folders.WORKING_DIRECTORY).lines(changed).stream()
                .map(line -> line.replace(file.toString(), "weir.conf"))
                .toList();
    }

    @Test
    void thePrintedFileHasTheEffectOfTheOneThatWasRead() throws IOException, InvalidConfigException {
        for (boolean changed : new boolean[] {true, false}) {
            String printed = String.join("\n", lines(changed)).replace("\"(hidden)\"", "\"$5 note\"");
            assertThat(TextConfig.load(printed, ENVIRONMENT).networks())
                    .isEqualTo(TextConfig.load(TEXT, ENVIRONMENT).networks());
            assertThat(TextConfig.load(printed, ENVIRONMENT).server())
                    .isEqualTo(TextConfig.load(TEXT, ENVIRONMENT).server());
            assertThat(TextConfig.load(printed, ENVIRONMENT).access())
                    .isEqualTo(TextConfig.load(TEXT, ENVIRONMENT).access());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{ rate { calls-per-second = 5, weighted { default = 2 } } }", "true"})
    void callersWithoutAKeyAreServedLikewise(String anonymous) throws IOException, InvalidConfigException {
        String text = TextConfig.NETWORK + "access.anonymous = " + anonymous;

        assertThat(TextConfig.load(String.join("\n", lines(text, true)).replace("(hidden)", "http://127.0.0.1:1"))
                        .access())
                .isEqualTo(TextConfig.load(text).access());
    }

    @Test
    void eachLineNamesWhereItsValueComesFromAndShowsNoSecret() throws IOException, InvalidConfigException {
        assertThat(lines(false))
                .contains(
                        "networks.a.upstreams.n.url = ${NODE_URL}  # weir.conf:2",
                        "networks.a.upstreams.n.headers.X-Note = \"(hidden)\"  # weir.conf:2",
                        "networks.a.upstreams.h.subscribe = false  # preset hosted",
                        "networks.a.family = \"arbitrum\"  # preset arbitrum",
                        "networks.a.health.interval = \"3 s\"  # weir.conf:4",
                        "access.keys.k.sha256 = ${KEY_HASH}  # weir.conf:5",
                        "server.max-batch = 1000  # default")
                .noneMatch(line -> line.contains("secret"));
    }

    @Test
    void aSecretBesideASubstitutionOrInAListIsHidden() throws IOException, InvalidConfigException {
        List<String> lines = lines("""
                networks.a { chain-id = 1, upstreams.n {
                  url = "http://127.0.0.1:1/a-secret-and-"${TOKEN}, ws-url = "ws://127.0.0.1:1/a-secret"
                  headers.Authorization = "Bearer a-secret "${?TOKEN} } }
                """, false);
        assertThat(lines)
                .contains(
                        "networks.a.upstreams.n.url = \"(hidden)\"  # weir.conf:2",
                        "networks.a.upstreams.n.headers.Authorization = \"(hidden)\"  # weir.conf:3")
                .noneMatch(line -> line.contains("secret"));
    }

    @Test
    void onlyWhatDiffersFromTheDefaultsIsPrintedIfThatIsWanted() throws IOException, InvalidConfigException {
        assertThat(lines(true))
                .contains("server.max-body = \"1 MiB\"  # weir.conf:6")
                .noneMatch(line -> line.startsWith("server.port") || line.endsWith("# default"));
    }
}
