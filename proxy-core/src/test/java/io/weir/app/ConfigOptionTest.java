package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.PluginBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The option {@code --config} wherever it stands on the line. */
class ConfigOptionTest {

    private static final String COUNTING = """
        package test;

        import io.weir.api.*;
        import java.io.PrintStream;
        import java.util.List;
        import org.pf4j.Extension;

        @Extension
        public class Counting implements WeirPlugin {
            @Override
            public void provision(PluginContext context) {}

            @Override
            public List<PluginCommand> commands() {
                return List.of(new PluginCommand() {
                    @Override
                    public String name() {
                        return "count";
                    }

                    @Override
                    public String description() {
                        return "Exits with the number of its arguments";
                    }

                    @Override
                    public int run(List<String> arguments, PrintStream out, PrintStream err) {
                        return arguments.size();
                    }
                });
            }
        }
        """;

    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void build() throws Exception {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        PluginBuilder.plugin("counting").source("test.Counting", COUNTING).jar(plugins);
        config = Files.writeString(folder.resolve("own.conf"), """
            default-network = main
            networks.main { chain-id = 1, upstreams.node.url = "http://127.0.0.1:1" }
            access.anonymous = true
            plugins { path = ["%s"], data = "%s/data" }
            """.formatted(plugins, folder));
    }

    private CommandLineRun run(String line) {
        return CommandLineRun.of(line.replace("FILE", config.toString()).split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--config FILE plugin counting count a b",
                "plugin --config FILE counting count a b",
                "plugin counting --config FILE count a b",
                "plugin counting count --config FILE a b",
                "plugin counting count a b --config FILE",
                "plugin counting count a b --config=FILE",
                "--config nowhere plugin counting count a --config FILE b"
            })
    void aPluginsCommandHasItAnywhere(String line) {
        CommandLineRun run = run(line);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void whatFollowsTwoHyphensIsThePluginsOwn() {
        assertThat(run("plugin --config FILE counting count -- --config other").exitCode())
                .isEqualTo(3);
    }

    @Test
    void itNeedsAFile() {
        CommandLineRun run = run("plugin counting count --config");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Missing: the file of --config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config FILE check", "check --config FILE", "--config nowhere check --config FILE"})
    void itMayStandBeforeOtherCommandsToo(String line) {
        assertThat(run(line).out()).contains(config + ": no problem found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config a.conf", "--config=a.conf", "run --config a.conf", "run --config=a.conf"})
    void aLineThatOnlyRunsTheProxyIsReadWithoutTheParserOfCommands(String line) {
        assertThat(ConfigOption.ofPlainRun(line.split(" "))).isEqualTo(Path.of("a.conf"));
        assertThat(ConfigOption.ofPlainRun()).isEqualTo(ConfigOption.defaultFile());
        assertThat(ConfigOption.ofPlainRun("run")).isEqualTo(ConfigOption.defaultFile());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check",
                "check --config a.conf",
                "run run",
                "run --help",
                "--version",
                "--config",
                "run --config",
                "run --config --help",
                "--config a.conf run",
                "run --config a.conf b.conf",
                "run --config=a.conf --config=b.conf"
            })
    void anyOtherLineIsLeftToTheParserOfCommands(String line) {
        assertThat(ConfigOption.ofPlainRun(line.split(" "))).isNull();
    }
}
