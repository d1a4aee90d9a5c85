package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The output and exit codes of the commands, above all for a configuration with mistakes. */
final class CheckCommandIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path ROOT = Checkout.find().root();

    @TempDir
    private Path folder;

    private Path main;
    private Path keys;

    @BeforeEach
    void nameTheFiles() {
        main = folder.resolve("weir.conf");
        keys = folder.resolve("keys.conf");
    }

    private void write(String text) throws IOException {
        Files.writeString(
                main, text + "\nplugins { path = [\"" + ROOT + "/plugins\"], data = \"" + folder + "/data\" }\n");
    }

    private CommandLineRun check() {
        return CommandLineRun.of("check", "--config", main.toString());
    }

    /** Ten mistakes of ten kinds in two files, and for each the beginning of the line that tells of it. */
    private List<String> writeTenMistakes() throws IOException {
        write("""
                server {
                  port = "abc"
                  max-body = 5
                  max-bacth = 1000
                }
                log.format = xml
                default-network = mainet
                networks {
                  mainnet {
                    chain-id = 1
                    upstreams {
                      one { url = ${NO_SUCH_VARIABLE_FOR_WEIR} }
                    }
                  }
                  status { chain-id = 2, upstreams { one { url = "http://127.0.0.1:1" } } }
                }
                include "keys.conf"
                """);
        Files.writeString(keys, """
                access.keys {
                  short { sha256 = "abc" }
                  lost {
                    sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                    networks = [mainnet,   testnet]
                    cache-bypass = sometimes
                  }
                }
                """);
        return List.of(
                keys + ":2:20: access.keys.short.sha256: ",
                keys + ":5:28: access.keys.lost.networks.1: testnet (expected: ",
                keys + ":6:20: access.keys.lost.cache-bypass: sometimes (expected: ",
                main + ":2:10: server.port: \"abc\" (expected: ",
                main + ":3:14: server.max-body: 5 (expected: ",
                main + ":4:3: server.max-bacth: unknown setting (expected: ",
                main + ":6:14: log.format: xml (expected: ",
                main + ":7:19: default-network: mainet (expected: ",
                main + ":12:19: networks.mainnet.upstreams.one.url: ${NO_SUCH_VARIABLE_FOR_WEIR} (expected: ",
                main + ":15:3: networks.status: status (expected: ");
    }

    private static void assertBegin(List<String> lines, List<String> beginnings) {
        assertThat(lines).as(String.join("\n", lines)).hasSameSizeAs(beginnings);
        List<String> left = new ArrayList<>(lines);
        for (String beginning : beginnings) {
            assertThat(left.removeIf(line -> line.startsWith(beginning) && line.endsWith(")")))
                    .as(beginning + " in\n" + String.join("\n", lines))
                    .isTrue();
        }
    }

    @Test
    void tenMistakesAreTenLinesWithFileAndLine() throws IOException {
        List<String> expected = writeTenMistakes();
        CommandLineRun run = check();
        assertThat(run.exitCode()).isEqualTo(1);
        assertBegin(run.outLines(), expected);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void theProxyDoesNotStartWithThemAndSaysThemOnStandardError() throws IOException {
        List<String> expected = writeTenMistakes();
        try (ChildProcess weir = WeirProcess.launch("run", "--config", main.toString())) {
            assertThat(weir.awaitExit(PATIENCE)).as(weir.told()).isEqualTo(1);
            assertThat(weir.out()).isEmpty();
            assertBegin(weir.err(), expected);
        }
    }

    @Test
    void aGoodConfigurationHasNoProblem() {
        try (ChildProcess check = WeirProcess.launch("check")) {
            assertThat(check.awaitExit(PATIENCE)).as(check.told()).isZero();
            assertThat(check.out())
                    .startsWith("network devnet (default): chain 1337, as devnet.localhost", "  tier 0: embedded")
                    .endsWith("conf/weir.conf: no problem found")
                    .noneMatch(line -> line.startsWith("warning: "));
            assertThat(check.err()).isEmpty();
        }
    }

    @Test
    void anUnknownSettingOfAPluginIsFound() throws IOException {
        write(network("kind = ethereum, chain-id = 1337") + "plugins.devnet {\n  blok-time = 1 s\n}\n");
        CommandLineRun run = check();
        assertThat(run.exitCode()).isEqualTo(1);
        assertBegin(run.outLines(), List.of(main + ":5:3: plugins.devnet.blok-time: unknown setting (expected: "));
        assertThat(run.out()).contains("did you mean plugins.devnet.block-time?");
    }

    @Test
    void mistakesOfPluginsAreSaidTogetherWithThoseOfTheProxy() throws IOException {
        write(network("kind = ethereum, chain-id = 1337")
                + "plugins.devnet {\n  blok-time = 1 s\n}\nserver.port = 70000\n");
        assertBegin(
                check().outLines(),
                List.of(main + ":5:3: plugins.devnet.blok-time: ", main + ":7:15: server.port: 70000 (expected: "));
    }

    @Test
    void aMisspeltMethodAmongCostsIsToldAndNoProblem() throws IOException {
        write(network("kind = ethereum, chain-id = 1337, upstreams.a.budget.costs { eth_cal = 5, default = 2 }") + """
                defaults.key.rate.weighted { eth_chainID = 1 }
                access.keys.k {
                  sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                  rate { calls-per-second = 9, weighted {
                    eth_getBlockReciepts = 5
                    eth_call = 4, wallet_invokeSnap = 7, starknet_call = 2, alchemy_getTokenBalances = 3, "trac_*" = 4
                  } }
                }
                """);
        CommandLineRun run = check();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .contains("warning: " + main + ":8:5: access.keys.k.rate.weighted.eth_getBlockReciepts: unknown method"
                        + " (expected: a known method; did you mean eth_getBlockReceipts?)")
                .anyMatch(line -> line.contains("eth_cal: unknown method"))
                .anyMatch(line -> line.contains(": defaults.key.rate.weighted.eth_chainID: unknown method"))
                .filteredOn(line -> line.contains("unknown method"))
                .hasSize(3);
    }

    @Test
    void aKindOrASchemeThatNobodyBringsIsFound() throws IOException {
        write("""
                networks {
                  one { kind = etherium, chain-id = 1, upstreams { a { url = "http://127.0.0.1:1" } } }
                  two {
                    chain-id = 1
                    upstreams { a { url = "devnte:default" } }
                  }
                  three { chain-id = SN_MAIN, upstreams { a { url = "devnte:default" } } }
                }
                default-network = one
                """);
        CommandLineRun run = check();
        assertThat(run.exitCode()).isEqualTo(1);
        assertBegin(
                run.outLines(),
                List.of(
                        main + ":2:9: networks.one.kind: etherium (expected: one of ethereum",
                        main
                                + ":5:21: networks.two.upstreams.a.url: devnte:… (expected: a URL of one of the schemes devnet, ",
                        main + ":7:22: networks.three.chain-id: SN_MAIN (expected: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwx----w-", "rwxrwx---"})
    void foldersThatOthersMayWriteToAreRejected(String permissions) throws IOException {
        Set<PosixFilePermission> all = PosixFilePermissions.fromString(permissions);
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Files.writeString(
                main,
                network("kind = ethereum, chain-id = 1337").replace("devnet:default", "http://127.0.0.1:1")
                        + "server.port = 0\nadmin.port = 0\nplugins.path = [\"" + plugins + "\"]\ncache.disk.path = \""
                        + cache + "\"\n");
        assertThat(check().exitCode()).isZero();
        Files.setPosixFilePermissions(plugins, all);
        Files.setPosixFilePermissions(cache, all);
        boolean root = Files.getOwner(folder).getName().equals("root");
        Assumptions.assumeTrue(root || !permissions.equals("rwxrwx---"), "the tests' user may have a group of its own");
        List<String> expected = List.of(
                main + ":6:9: plugins.path: " + plugins
                        + " (expected: one that no other user may write to; chmod go-w)",
                main + ":7:12: cache.disk.path: " + cache
                        + " (expected: one that no other user may write to; chmod go-w)");
        CommandLineRun run = check();
        assertThat(run.exitCode()).isEqualTo(1);
        assertBegin(run.outLines(), expected);
        try (ChildProcess weir = WeirProcess.launch("run", "--config", main.toString())) {
            assertThat(weir.awaitExit(PATIENCE)).as(weir.told()).isEqualTo(1);
            assertBegin(weir.err(), expected);
        }
    }

    @Test
    void aFileThatIsNotThereIsOneLine() {
        CommandLineRun run = check();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.outLines()).singleElement().asString().startsWith(main.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "admin"})
    void aPortInUseIsOneLineOnStandardError(String listener) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            write(network("kind = ethereum, chain-id = 1337") + "server.port = 0\nadmin.port = 0\n" + listener
                    + ".port = " + taken.getLocalPort() + "\n");
            try (ChildProcess weir = WeirProcess.launch("run", "--config", main.toString())) {
                assertThat(weir.awaitExit(PATIENCE)).as(weir.told()).isEqualTo(1);
                assertThat(weir.out()).isEmpty();
                assertThat(weir.err())
                        .singleElement()
                        .asString()
                        .startsWith(listener + ".port: " + taken.getLocalPort()
                                + " on 127.0.0.1: taken by another program");
            }
        }
    }

    private static String network(String settings) {
        return "networks.devnet {\n  " + settings + ", upstreams.a.url = \"devnet:default\"\n}\n";
    }

    @Test
    void wrongUsageExitsWithTwoAndSaysHowItIsRight() {
        for (String line : List.of(
                "frobnicate",
                "run --nope",
                "run more",
                "check --config",
                "key",
                "key new",
                "key new a b",
                "key new a.b",
                "key new -- -a",
                "key old",
                "logs",
                "logs empty",
                "probe more",
                "probe --network",
                "logs fill",
                "plugins",
                "plugins lost",
                "plugin")) {
            CommandLineRun run = CommandLineRun.of(line.split(" "));
            assertThat(run.exitCode()).as(line).isEqualTo(2);
            assertThat(run.out()).as(line).isEmpty();
            assertThat(run.err()).as(line).containsAnyOf("Usage: weir", "Did you mean: ", "Possible solutions: ");
        }
    }

    @Test
    void everyCommandShowsItsHelpAndVersion() {
        List<List<String>> commands = new ArrayList<>();
        collect(Main.commandLine(), List.of(), commands);
        assertThat(commands)
                .contains(
                        List.of(),
                        List.of("run"),
                        List.of("check"),
                        List.of("key", "new"),
                        List.of("logs", "fill"),
                        List.of("plugins", "list"),
                        List.of("plugin"));
        for (List<String> command : commands) {
            CommandLineRun help = withOption(command, "--help");
            assertThat(help.exitCode()).as(command.toString()).isZero();
            assertThat(help.out()).as(command.toString()).startsWith("Usage: " + String.join(" ", named(command)));
            assertThat(help.err()).isEmpty();
            CommandLineRun version = withOption(command, "--version");
            assertThat(version.exitCode()).as(command.toString()).isZero();
            assertThat(version.outLines())
                    .as(command.toString())
                    .hasSize(2)
                    .first()
                    .asString()
                    .startsWith("weir ");
            assertThat(version.err()).isEmpty();
        }
    }

    @Test
    void theBuiltProgramKnowsItsVersion() {
        try (ChildProcess weir = WeirProcess.launch("--version")) {
            assertThat(weir.awaitExit(PATIENCE)).as(weir.told()).isZero();
            assertThat(weir.out().get(0)).matches("weir \\d+\\.\\d+\\.\\d+.*");
        }
    }

    private static void collect(CommandLine line, List<String> path, List<List<String>> commands) {
        commands.add(path);
        for (Map.Entry<String, CommandLine> sub : line.getSubcommands().entrySet()) {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(sub.getKey());
            collect(sub.getValue(), deeper, commands);
        }
    }

    private static List<String> named(List<String> command) {
        List<String> named = new ArrayList<>(List.of("weir"));
        named.addAll(command);
        return named;
    }

    private static CommandLineRun withOption(List<String> command, String option) {
        List<String> arguments = new ArrayList<>(command);
        arguments.add(option);
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }
}
