package io.weir.l2.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploySettingsTest {
    private static Config defaults() {
        return ConfigFactory.parseResources("reference.conf").getConfig("plugins.l2-deploy");
    }

    private static DeploySettings read(String text) {
        return DeploySettings.read(
                ConfigFactory.parseString(text).withFallback(defaults()).resolve());
    }

    @Test
    void theDefaultsAreRight() {
        DeploySettings settings = read("");
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.methods()).containsExactly("l2net_addDeployAccountTransaction");
        assertThat(settings.upstreamMethod()).isEqualTo("starknet_addDeployAccountTransaction");
        assertThat(settings.bareBounds()).isEmpty();
    }

    @Test
    void everySettingIsDescribedForOperatorsWithItsDefault() throws IOException {
        String page = Files.readString(Checkout.find().root().resolve("plugins/l2-deploy/README.md"));
        Map<String, String> described = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| `([^`]+)` \\|").matcher(page);
        while (row.find()) {
            described.put(row.group(1), row.group(2));
        }
        assertThat(described)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "method-prefix", defaults().getString("method-prefix"),
                        "aliases", defaults().getStringList("aliases").toString(),
                        "upstream-method", defaults().getString("upstream-method"),
                        "bare-bounds",
                                defaults().getObject("bare-bounds").unwrapped().toString()));
        assertThat(defaults().entrySet()).as("settings with a value").hasSize(described.size() - 1);
    }

    @Test
    void theMethodIsServedUnderItsPrefixAndItsAliases() {
        assertThat(read("method-prefix = chain2, aliases = [starknet, l2net, starknet]")
                        .methods())
                .containsExactly(
                        "chain2_addDeployAccountTransaction",
                        "starknet_addDeployAccountTransaction",
                        "l2net_addDeployAccountTransaction");
    }

    @Test
    void networksAreNamedAsTheyAre() {
        DeploySettings settings = read("bare-bounds { sepolia = gateway, \"a.b\" = \"a.b\" }");
        assertThat(settings.bareBounds()).containsEntry("sepolia", "gateway").containsEntry("a.b", "a.b");
        assertThat(settings.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "method-prefix = \"l2_net\"|method-prefix: l2_net (expected: ",
                "method-prefix = \"\"|method-prefix:  (expected: ",
                "aliases = [starknet, \"a b\"]|aliases.1: a b (expected: ",
                "upstream-method = \"a b\"|upstream-method: a b (expected: ",
                "bare-bounds.sepolia = \"\"|bare-bounds.sepolia:  (expected: "
            })
    void whatIsWrongIsSaid(String setting, String problem) {
        assertThat(read(setting).problems()).singleElement().asString().startsWith(problem);
    }
}
