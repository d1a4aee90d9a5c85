package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.PluginBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The option {@code --config} wherever it stands on the line. */
class ConfigOptionsTest {

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
        assertThat(ConfigOptions.ofPlainRun(line.split(" "))).isEqualTo(Path.of("a.conf"));
        assertThat(ConfigOptions.ofPlainRun()).isEqualTo(ConfigOptions.defaultFile());
        assertThat(ConfigOptions.ofPlainRun("run")).isEqualTo(ConfigOptions.defaultFile());
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
        assertThat(ConfigOptions.ofPlainRun(line.split(" "))).isNull();
    }

    private CommandLineRun changed(String... options) {
        List<String> words = new ArrayList<>(List.of("config", "--changed", "--config", config.toString()));
        words.addAll(List.of(options));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    @Test
    void optionsCountOverTheFile() {
        assertThat(changed("--port", "1", "--admin-port=2", "--set", "server.max-body=7 MiB")
                        .outLines())
                .contains(
                        "server.port = 1  # command line:3",
                        "admin.port = 2  # command line:4",
                        "server.max-body = \"7 MiB\"  # command line:2",
                        "default-network = \"main\"  # " + config + ":1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:2",
                "\"http://127.0.0.1:2\"",
                "${?NO_SUCH_VARIABLE_FOR_WEIR}\"http://127.0.0.1:2\""
            })
    void aValueNeedsNoQuotesOfItsOwn(String url) {
        assertThat(changed("--set", "networks.main.upstreams.other.url=" + url).outLines())
                .contains("networks.main.upstreams.other.url = \"(hidden)\"  # command line:2");
    }

    @Test
    void aMistakeInAnOptionHasItsPlace() {
        CommandLineRun run = run("check --config FILE --set server.max-bacth=5 --port=70000");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines())
                .containsExactly(
                        "command line:2:8: server.max-bacth: unknown setting (expected: a known setting; did you mean server.max-batch?)",
                        "command line:3:15: server.port: 70000 (expected: a whole number from 0 to 65535)");
    }

    @Test
    void optionsBeforeAndBehindTheCommandAddUp() {
        assertThat(run("--set server.max-bacth=1 --config FILE check --set server.port=abc")
                        .outLines())
                .hasSize(2)
                .anyMatch(line -> line.contains("server.max-bacth"))
                .anyMatch(line -> line.contains("server.port: abc"));
    }

    @Test
    void optionsBeforeTheCommandCountToo() {
        assertThat(run("--set server.port=abc --config FILE check").outLines())
                .containsExactly("command line:2:15: server.port: abc (expected: a whole number from 0 to 65535)");
    }

    @ParameterizedTest
    @CsvSource({
        "check --config FILE --node http://127.0.0.1:1, --node beside --config (expected: one of them)",
        "check --config FILE --set server.port,         --set: no value (expected: SETTING=VALUE)",
        "--set server.port run,                         --set: no value (expected: SETTING=VALUE)"
    })
    void optionsThatContradictThemselvesAreRefused(String line, String problem) {
        CommandLineRun run = run(line);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).startsWith(problem);
    }
}
