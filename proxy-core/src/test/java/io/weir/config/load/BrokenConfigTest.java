package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Folders;
import io.weir.api.setting.Reading;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.InvalidConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration of two files with as many different mistakes as there are kinds of them. */
class BrokenConfigTest {

    private static final Path FOLDER = Path.of("src/test/resources/io/weir/config/load/broken");

    private static final List<String> EXPECTED = List.of(
            "keys.conf:3:14: access.keys.demo.sha256: (hidden) (expected: 64 hex digits)",
            "keys.conf:4:26: access.keys.demo.networks.1: testnet (expected: one of the networks, or *)",
            "keys.conf:5:20: access.keys.demo.cache-bypass: sometimes (expected: true or false)",
            "keys.conf:10:14: access.keys.twin.sha256: (hidden) (expected: another key than that of access.keys.first)",
            "weir.conf:3:10: server.port: \"abc\" (expected: a whole number from 0 to 65535)",
            "weir.conf:4:14: server.max-body: 5 (expected: a size with a unit, such as 64 KiB or 5 MiB,"
                    + " from 1 KiB to 1 GiB)",
            "weir.conf:5:3: server.max-bacth: unknown setting"
                    + " (expected: a known setting; did you mean server.max-batch?)",
            "weir.conf:6:11: server.drain: 10 sec. (expected: a duration with a unit, such as 250 ms or 10 s,"
                    + " from 0 s to 1 h)",
            "weir.conf:8:14: log.format: xml (expected: one of text, json)",
            "weir.conf:9:44: admin.token-sha256: ${ADMIN_TOKEN_SHA256}"
                    + " (expected: an environment variable, or another setting, of that name)",
            "weir.conf:10:19: default-network: mainet (expected: one of the networks)",
            "weir.conf:15:14: networks.mainnet.verify: sometimes"
                    + " (expected: one of off, before-caching, before-serving)",
            "weir.conf:18:15: networks.mainnet.upstreams.one.url: (hidden)"
                    + " (expected: http://…, https://…, or a scheme that a plugin brings, such as devnet:default)",
            "weir.conf:19:19: networks.mainnet.upstreams.one.weight: 0 (expected: a whole number from 1 to 1000000)",
            "weir.conf:22:15: networks.mainnet.upstreams.two.url: ${NODE_URL}"
                    + " (expected: an environment variable, or another setting, of that name)",
            "weir.conf:23:44: networks.mainnet.upstreams.two.headers.Authorization: ${NODE_TOKEN}"
                    + " (expected: an environment variable, or another setting, of that name)",
            "weir.conf:27:3: networks.status: status"
                    + " (expected: another name: this one is part of the proxy's own paths)",
            "weir.conf:29:23: networks.status.hosts.1: \"eth.example.org\""
                    + " (expected: a host of one network only; it is one of networks.mainnet)",
            "weir.conf:30:5: networks.status.upstreams: none (expected: at least one upstream)",
            "weir.conf:39:16: cache.memory: 256 Mib (expected: a size with a unit, such as 64 KiB or 5 MiB,"
                    + " from 0 B to 1 TiB)");

    private static InvalidConfigException refusal(String file) {
        return catchThrowableOfType(
                InvalidConfigException.class, () -> ConfigLoader.load(FOLDER.resolve(file), Map.of()));
    }

    @Test
    void everyMistakeIsOneLineWithItsPlace() {
        assertThat(refusal("weir.conf").lines())
                .containsExactlyElementsOf(
                        EXPECTED.stream().map(line -> FOLDER + "/" + line).toList());
    }

    @Test
    void aMissingIncludeIsOneMoreLineAndHidesNoOther() {
        assertThat(refusal("absent.conf").lines())
                .containsExactly(
                        FOLDER + "/absent.conf:2:9: include: \"networks.conf\" not found"
                                + " (expected: a file that can be read)",
                        FOLDER + "/absent.conf:4:15: server.port: 70000 (expected: a whole number from 0 to 65535)");
    }

    @Test
    void noSecretIsShown() {
        assertThat(refusal("weir.conf").getMessage()).doesNotContain("secret", "hunter2", "0123456789");
    }

    @Test
    void correctSettingsAreReadDespiteWrongOnes() throws Exception {
        ConfigLoader.Draft draft =
                ConfigLoader.draft(FOLDER.resolve("weir.conf"), null, Map.of(), Folders.WORKING_DIRECTORY);
        assertThat(draft.problems()).hasSameSizeAs(EXPECTED);
        assertThat(draft.loaded().config().server().maxBatch()).isEqualTo(1000);
        assertThat(draft.loaded().config().networks().get("mainnet").chainId()).isEqualTo("1");
        assertThat(draft.loaded().config().plugins().path()).containsExactly(Path.of("plugins"));
    }

    @Test
    void eachRemovedSettingIsExplained() {
        removed(false).forEach((path, explanation) -> {
            String entry = path.replace("defaults.network.", "networks.a.")
                    .replace("defaults.upstream.", "networks.a.upstreams.n.")
                    .replace("defaults.key.", "access.keys.k.");
            for (String name : List.of(path, entry)) {
                assertThat(TextConfig.rules(name + " = 1"))
                        .contains(name + ": removed setting (expected: nothing: " + explanation + ")");
            }
        });
    }

    @Test
    void eachRemovedSettingOfAPluginIsExplained(@TempDir Path folder) throws Exception {
        for (Map.Entry<String, String> one : removed(true).entrySet()) {
            List<String> plugin = ConfigUtil.splitPath(one.getKey()).subList(0, 2);
            HoconDocument document = HoconDocument.read(
                    Files.writeString(folder.resolve("weir.conf"), one.getKey() + " = 1"),
                    Map.of(),
                    ConfigFactory.empty().root());
            Config block = document.root().toConfig().getConfig(ConfigUtil.joinPath(plugin));
            Reading reading = Reading.over(None.class, block.root(), document.sources());
            new Binder(Folders.WORKING_DIRECTORY).read(None.class, reading.block(plugin));
            assertThat(reading.finish())
                    .singleElement()
                    .asString()
                    .endsWith(one.getKey() + ": removed setting (expected: nothing: " + one.getValue() + ")");
        }
    }

    private record None() {}

    /** The explanations of the removed settings of the plugins, or of the proxy, by path. */
    private static Map<String, String> removed(boolean plugins) {
        return ConfigFactory.parseResources("removed-settings.conf").root().entrySet().stream()
                .filter(one -> one.getKey().matches("plugins\\.[^.]+\\..+") == plugins)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> one.getValue().unwrapped().toString()));
    }
}
