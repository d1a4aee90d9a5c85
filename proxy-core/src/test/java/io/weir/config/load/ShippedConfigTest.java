package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.method.MethodPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped files for operators: {@code conf/}, and the reference with every default. */
class ShippedConfigTest {

    private static final Path CONF = Path.of("..", "conf");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:`([^`]+)`|–) \\| .+ \\| .+ \\|$");

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
                                new RateConfig(1000, 2000, false))));
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
        "layer-two.conf, sepolia"
    })
    void theExamplesLoad(String example, String defaultNetwork) throws Exception {
        Map<String, String> environment = Map.of(
                "PROVIDER_URL",
                "https://eth.example.org/v2/secret",
                "NODE_B_TOKEN",
                "secret",
                "BACKEND_KEY_SHA256",
                "a".repeat(64),
                "DASHBOARD_KEY_SHA256",
                "b".repeat(64),
                "REDIS_URL",
                "rediss://weir:secret@redis.example.org:6379/0");
        assertThat(load("examples/" + example, environment).defaultNetwork()).isEqualTo(defaultNetwork);
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

    @Test
    void everySettingIsDescribedForOperatorsWithItsDefault() throws Exception {
        Map<String, String> described = new LinkedHashMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(CONF.resolve("README.md")))
                .results()
                .toList()) {
            described.put(row.group(1), String.valueOf(row.group(2)));
        }
        // Plugins bring references of their own.
        described
                .keySet()
                .removeIf(path -> path.startsWith("plugins.wallet.") || path.startsWith("plugins.l2-deploy."));
        Map<String, String> defaults = new LinkedHashMap<>();
        leaves("", ConfigLoader.reference()).forEach((path, value) -> defaults.put(path, text(value)));
        // The templates of map entries are described as blocks, not as settings.
        defaults.keySet().removeAll(List.of("networks", "access.keys"));
        assertThat(described).containsExactlyInAnyOrderEntriesOf(defaults);
    }

    @Test
    void everySettingOfTheReferenceHasAComment() {
        List<String> bare = new ArrayList<>();
        leaves("", ConfigLoader.reference()).forEach((path, value) -> {
            if (value.origin().comments().isEmpty()) {
                bare.add(path);
            }
        });
        assertThat(bare).isEmpty();
    }

    private static Map<String, ConfigValue> leaves(String prefix, ConfigObject block) {
        Map<String, ConfigValue> leaves = new LinkedHashMap<>();
        block.forEach((name, value) -> {
            if (value instanceof ConfigObject inner && !inner.isEmpty()) {
                leaves.putAll(leaves(prefix + name + ".", inner));
            } else {
                leaves.put(prefix + name, value);
            }
        });
        return leaves;
    }

    private static String text(ConfigValue value) {
        boolean structured = value instanceof ConfigObject || value instanceof ConfigList;
        return structured || value.valueType() == ConfigValueType.NULL
                ? value.render(ConfigRenderOptions.concise())
                : value.atKey("v").getString("v");
    }
}
