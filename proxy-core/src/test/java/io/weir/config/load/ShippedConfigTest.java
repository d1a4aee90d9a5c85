package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.WeirConfig;
import io.weir.hocon.InvalidConfigException;
import io.weir.method.MethodPolicy;
import io.weir.testing.MarkdownBlocks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The configurations that the checkout ships for operators: {@code conf/}, and the recipes of the pages. */
class ShippedConfigTest {

    private static final Path CONF = Path.of("..", "conf");
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "PROVIDER_URL",
            "https://eth.example.org/v2/secret",
            "NODE_B_TOKEN",
            "secret",
            "BACKEND_KEY_SHA256",
            "a".repeat(64),
            "DASHBOARD_KEY_SHA256",
            "b".repeat(64),
            "PAGE_KEY_SHA256",
            "c".repeat(64),
            "CUSTOMER_KEY_SHA256",
            "d".repeat(64),
            "REDIS_URL",
            "rediss://weir:secret@redis.example.org:6379/0");

    /** What every configuration needs, for snippets that leave it out. */
    private static final String NETWORK =
            "networks.mainnet { chain-id = 1, upstreams.node.url = \"http://127.0.0.1:1\" }";

    @TempDir
    private Path folder;

    private static WeirConfig load(String file, Map<String, String> environment) throws Exception {
        return ConfigLoader.load(CONF.resolve(file), environment).config();
    }

    @Test
    void theConfigurationIsTheAgreedOne() throws Exception {
        Path agreed = Path.of("src/test/resources/io/weir/config/load/weir.conf");
        assertThat(CONF.resolve("weir.conf")).hasSameTextualContentAs(agreed);
    }

    @Test
    void theConfigurationLoads() throws Exception {
        WeirConfig config = load("weir.conf", Map.of());
        assertThat(config.server().port()).isEqualTo(8545);
        assertThat(config.admin().port()).isEqualTo(9545);
        assertThat(config.defaultNetwork()).isEqualTo("devnet");
        NetworkConfig devnet = config.networks().get("devnet");
        assertThat(devnet.chainId()).isEqualTo("1337");
        assertThat(devnet.hosts()).containsExactly("devnet.localhost");
        assertThat(devnet.upstreams()).containsOnlyKeys("embedded");
        assertThat(devnet.upstreams().get("embedded").url()).hasToString("devnet:default");
        assertThat(config.access().anonymous()).isFalse();
        assertThat(config.access().keys())
                .containsOnly(Map.entry(
                        "demo",
                        new KeyConfig(
                                "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea",
                                Set.of("*"),
                                Set.of("*"),
                                false,
                                Unverifiable.PASS,
                                new RateConfig(1000, 2000, false),
                                BoundConfig.NONE)));
    }

    @Test
    void theConfigurationServesEveryMethodOfTheDevnet() throws Exception {
        MethodPolicy policy = new MethodPolicy(
                load("weir.conf", Map.of()).networks().get("devnet").methods());
        List<String> methods = new ArrayList<>();
        try (Stream<Path> sources = Files.list(Path.of("../plugins/devnet/src/main/java/io/weir/devnet/rpc"))) {
            for (Path source : sources.toList()) {
                Pattern.compile("table\\.add\\(\\s*\"(\\w+)\"")
                        .matcher(Files.readString(source))
                        .results()
                        .forEach(added -> methods.add(added.group(1)));
            }
        }
        assertThat(methods).hasSizeGreaterThan(25).allMatch(method -> policy.serves(method, false));
    }

    @Test
    void theExampleForADevelopmentNodeServesTheMethodsOfThatNode() throws Exception {
        MethodPolicy policy = new MethodPolicy(load("examples/anonymous.conf", Map.of())
                .networks()
                .get("local")
                .methods());
        assertThat(List.of("anvil_setBalance", "evm_mine", "hardhat_mine", "eth_accounts", "eth_signTypedData_v4"))
                .allMatch(method -> policy.serves(method, false));
    }

    @ParameterizedTest
    @CsvSource({
        "two-nodes.conf, mainnet",
        "by-host.conf, mainnet",
        "anonymous.conf, local",
        "shared-results.conf, mainnet",
        "layer-two.conf, sepolia",
        "wallet.conf, devnet",
        "first-approval.conf, devnet"
    })
    void theExamplesLoad(String example, String defaultNetwork) throws Exception {
        assertThat(load("examples/" + example, ENVIRONMENT).defaultNetwork()).isEqualTo(defaultNetwork);
    }

    @Test
    void theExampleOfTwoNodesTakesItsCredentialsFromTheEnvironment() throws Exception {
        Path example = CONF.resolve("examples/two-nodes.conf");
        assertThat(Files.readString(example)).contains("PROVIDER_URL", "NODE_B_TOKEN", "${BACKEND_KEY_SHA256}");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> ConfigLoader.load(example, Map.of()))
                        .lines())
                .hasSize(4)
                .allMatch(line -> line.contains("an environment variable"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "exposing.md"})
    void eachSnippetOfAPageIsPartOfAConfiguration(String page) throws Exception {
        List<String> snippets = MarkdownBlocks.of(CONF.resolve(page)).in("hocon");
        assertThat(snippets).isNotEmpty();
        for (String snippet : snippets) {
            assertThat(loaded(NETWORK, snippet).networks()).as(snippet).containsKey("mainnet");
        }
    }

    @Test
    void allSnippetsOfTheGuideAreOneConfiguration() throws Exception {
        WeirConfig config = loaded(MarkdownBlocks.of(CONF.resolve("README.md")).in("hocon"));
        assertThat(config.networks()).containsOnlyKeys("mainnet", "sepolia");
        assertThat(config.access().keys()).containsOnlyKeys("backend", "partner");
        assertThat(config.server().hosts()).contains("rpc.example.org");
        assertThat(config.server().healthPath()).isEqualTo("/health");
    }

    private WeirConfig loaded(String... parts) throws Exception {
        return loaded(List.of(parts));
    }

    private WeirConfig loaded(List<String> parts) throws Exception {
        Path file = Files.writeString(folder.resolve("my.conf"), String.join("\n", parts));
        return ConfigLoader.load(file, ENVIRONMENT).config();
    }
}
