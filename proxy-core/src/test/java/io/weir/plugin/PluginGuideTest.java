package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.PluginBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds and runs the plugin that the guide for plugin authors shows. */
@Tag("rules")
class PluginGuideTest {

    @TempDir
    Path temporary;

    @Test
    void theGuidesPluginCompilesAndIsServed() throws Exception {
        String guide = Files.readString(Path.of("../plugins/README.md"));
        PluginBuilder.plugin("greeter")
                .source("org.example.greeter.Greeter", block(guide, "java"))
                .manifest(block(guide, "manifest"))
                .jar(Files.createDirectories(temporary.resolve("plugins")));
        try (HostFixture fixture = new HostFixture(temporary)) {
            try (PluginHost host = fixture.open()) {
                assertThat(host.summaries())
                        .singleElement()
                        .extracting(PluginSummary::version)
                        .isEqualTo("1.0.0");
                assertThat(fixture.call(host, "greeter_greet", "[\"world\"]").get(60, SECONDS))
                        .hasToString("Result[value=\"Hello, world!\"]");
                assertThat(fixture.call(host, "greeter_greet", "")
                                .get(60, SECONDS)
                                .toString())
                        .contains("code=-32602, message=params[0]: expected a name");
            }
        }
    }

    private static String block(String guide, String language) {
        Matcher block =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(guide);
        assertThat(block.find()).as("a block of " + language).isTrue();
        return block.group(1);
    }
}
