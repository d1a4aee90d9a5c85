package io.weir.l2.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.DeclaredSettings;
import io.weir.testing.SettingsText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploySettingsTest {
    private static DeploySettings read(String text) {
        return SettingsText.read(DeploySettings.class, text);
    }

    @Test
    void theDefaultsAreRight() {
        DeploySettings settings = read("");
        assertThat(settings.methods()).containsExactly("l2net_addDeployAccountTransaction");
        assertThat(settings.upstreamMethod()).isEqualTo("starknet_addDeployAccountTransaction");
        assertThat(settings.bareBounds()).isEmpty();
    }

    @Test
    void theTableOfThePageIsPrintedFromTheDeclarations() throws IOException {
        DeclaredSettings.assertPrinted(Path.of("README.md"), "l2-deploy", DeploySettings.class);
    }

    @Test
    void thereAreNoMoreSettings() {
        assertThat(DeclaredSettings.leaves("", DeclaredSettings.of(DeploySettings.class, true)))
                .hasSizeLessThanOrEqualTo(4);
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
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "method-prefix = \"l2_net\"|method-prefix: \"l2_net\" (expected: ",
                "method-prefix = \"\"|method-prefix: \"\" (expected: ",
                "aliases = [starknet, \"a b\"]|aliases.1: \"a b\" (expected: ",
                "upstream-method = \"a b\"|upstream-method: \"a b\" (expected: ",
                "bare-bounds.sepolia = \"\"|bare-bounds.sepolia: \"\" (expected: "
            })
    void whatIsWrongIsSaid(String setting, String problem) {
        List<String> problems = new ArrayList<>();
        SettingsText.read(DeploySettings.class, setting, problems);
        assertThat(problems).singleElement().asString().startsWith(problem);
    }
}
