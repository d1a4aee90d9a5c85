package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.setting.Folders;
import io.weir.config.load.ConfigChanges.Names;
import io.weir.config.load.ConfigLoader.Loaded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigChangesTest {

    private static final String TWO = """
            default-network = a
            networks.a { chain-id = 1, upstreams { n.url = "http://127.0.0.1:1", m.url = "http://127.0.0.1:2" } }
            networks.b { chain-id = 2, upstreams.n { url = "http://127.0.0.1:3", headers { X-Key = hunter2 } } }
            access.keys.alice { sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea", networks = ["*"], methods = ["*"] }
            """;

    @TempDir
    Path folder;

    private Loaded load(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("weir.conf"), text);
        return ConfigLoader.load(file, Map.of());
    }

    private ConfigChanges after(String added) throws Exception {
        return ConfigChanges.between(load(TWO), load(TWO + added));
    }

    @ParameterizedTest
    @ValueSource(strings = {"conf/weir.conf", "conf/examples/wallet.conf", "conf/examples/by-host.conf"})
    void aFileThatIsReadTwiceHasNoChanges(String name) throws Exception {
        Path file = Path.of("..").resolve(name);
        Map<String, String> environment = Map.of("WEIR_PASSPHRASE_FILE", "/none");
        Loaded once = ConfigLoader.draft(file, null, environment, Folders.WORKING_DIRECTORY)
                .loaded();
        Loaded again = ConfigLoader.draft(file, null, environment, Folders.WORKING_DIRECTORY)
                .loaded();

        assertThat(ConfigChanges.between(once, again)).isEqualTo(ConfigChanges.NONE);
        assertThat(once.config().plugins()).isEqualTo(again.config().plugins());
    }

    @Test
    void valuesThatAreWrittenOtherwiseAreNoChange() throws Exception {
        ConfigChanges changes = ConfigChanges.between(
                load(TWO + "networks.a.head.max-age = 2 s\nserver.drain = 10 s"),
                load(TWO + "networks.a.head.max-age = 2000 ms\nserver.drain = 10000 ms"));

        assertThat(changes).isEqualTo(ConfigChanges.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            networks.a.verify = off                            | a | networks.a.verify
            networks.a.upstreams.n.weight = 3                  | a | networks.a.upstreams.n.weight
            networks.a.hosts = [node.test]                     | a | networks.a.hosts
            networks.b.upstreams.n.headers.X-Key = correct     | b | networks.b.upstreams.n.headers.X-Key
            defaults.network.balance.wait = 1 s                | a,b | defaults.network.balance.wait
            """)
    void aChangedNetworkIsNamedWithThePathsAndNoValue(String line, String networks, String path) throws Exception {
        ConfigChanges changes = after(line);

        assertThat(changes.networks()).isEqualTo(new Names(List.of(), List.of(networks.split(",")), List.of()));
        assertThat(changes.settings()).containsExactly(path);
        assertThat(changes.restart()).isEmpty();
        assertThat(changes.toString()).doesNotContain("hunter2", "correct");
    }

    @Test
    void addedAndRemovedNetworksAndKeysAreNamed() throws Exception {
        Loaded more = load(TWO + """
                networks.c { chain-id = 3, upstreams.n.url = "http://127.0.0.1:1" }
                access.keys.bob { sha256 = "3a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea", networks = ["*"], methods = ["*"] }
                access.keys.alice.rate.calls-per-second = 7
                """);
        ConfigChanges changes = ConfigChanges.between(load(TWO), more);

        assertThat(changes.networks()).isEqualTo(new Names(List.of("c"), List.of(), List.of()));
        assertThat(changes.keys()).isEqualTo(new Names(List.of("bob"), List.of("alice"), List.of()));
        assertThat(changes.settings()).containsExactly("networks.c", "access.keys.alice.rate", "access.keys.bob");
        ConfigChanges back = ConfigChanges.between(more, load(TWO));
        assertThat(back.networks()).isEqualTo(new Names(List.of(), List.of(), List.of("c")));
        assertThat(back.keys()).isEqualTo(new Names(List.of(), List.of("alice"), List.of("bob")));
    }

    @Test
    void anotherOrderOfNodesIsAChangeBecauseTheyMayBeChosenInOrder() throws Exception {
        Loaded other = load(TWO.replace(
                "n.url = \"http://127.0.0.1:1\", m.url = \"http://127.0.0.1:2\"",
                "m.url = \"http://127.0.0.1:2\", n.url = \"http://127.0.0.1:1\""));

        assertThat(ConfigChanges.between(load(TWO), other).networks().changed()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server.cors.origins = [\"https://a.example\"]",
                "server.hosts = [a.example]",
                "admin.hosts = [a.example]",
                "admin.origins = [\"https://a.example\"]",
                "admin.token-sha256 = \"2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea\"",
                "log.level = debug"
            })
    void theseSettingsOfSuchBlocksChangeWithAReload(String line) throws Exception {
        Loaded before = load(TWO);
        Loaded next = load(TWO + line + ", server.port = 1, admin.port = 2, log.format = json");
        String path = line.replaceFirst(" = .*", "");
        ConfigChanges changes = ConfigChanges.between(before, next);
        assertThat(changes.settings()).containsExactly(path);
        assertThat(changes.restart()).containsExactlyInAnyOrder("server.port", "admin.port", "log.format");

        Loaded inForce = before.reloaded(next);
        assertThat(ConfigChanges.between(inForce, next).settings()).isEmpty();
        assertThat(ConfigChanges.between(inForce, load(TWO + line))).isEqualTo(ConfigChanges.NONE);
        assertThat(inForce.config().server().port()).isEqualTo(8545);
    }

    @ParameterizedTest
    @CsvSource({
        "server.port = 1, server.port",
        "admin.port = 1, admin.port",
        "cache.memory = 1 MiB, cache.memory",
        "log.format = json, log.format",
        "tracing.sample = 17 %, tracing.sample",
        "plugins.path = [x], plugins.path",
        "plugins.wallet.seed = hunter2, plugins.wallet"
    })
    void settingsThatNeedARestartAreNamedUntilTheyAreAsBefore(String line, String path) throws Exception {
        Loaded before = load(TWO);
        Loaded next = load(TWO + line + "\naccess.anonymous = true");
        ConfigChanges changes = ConfigChanges.between(before, next);
        assertThat(changes.restart()).containsExactly(path);
        assertThat(changes.settings()).containsExactly("access.anonymous");

        Loaded inForce = before.reloaded(next);
        assertThat(ConfigChanges.between(inForce, next).restart()).containsExactly(path);
        assertThat(ConfigChanges.between(inForce, next).isEmpty()).isTrue();
        assertThat(inForce.config().access().anonymous()).isTrue();
        assertThat(ConfigChanges.between(inForce, load(TWO + "access.anonymous = true")))
                .isEqualTo(ConfigChanges.NONE);
    }
}
