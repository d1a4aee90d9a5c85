package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.AdminClient;
import io.weir.testing.AnvilNode;
import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import io.weir.testing.MarkdownBlocks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does what the README says: runs its command for the proxy, then each of its other commands and scripts against that. The
 * commands that build are not run again, as a test is part of such a build. The operator's guide begins with commands in front of a node,
 * which run here too.
 */
final class ReadmeIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BUILD = "mvn -q -DskipTests package && ";
    private static final String TEST = "mvn verify";
    private static final String NODE = "--node http://127.0.0.1:18545";
    private static final Pattern READY =
            Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)\\D.*http://127\\.0\\.0\\.1:(\\d+)");

    private static final Pattern TRY = Pattern.compile("try it: +(curl .*)");

    private static final Checkout CHECKOUT = Checkout.find();

    @TempDir
    private static Path scratch;

    private static List<String> commands = List.of();
    private static List<String> scripts = List.of();
    private static ChildProcess proxy;
    private static String port = "";
    private static String adminPort = "";

    @BeforeAll
    static void runTheFirstCommand() throws IOException {
        MarkdownBlocks blocks = MarkdownBlocks.of(CHECKOUT.root().resolve("README.md"));
        commands = blocks.in("sh");
        scripts = blocks.in("js");
        assertThat(commands.get(0)).startsWith(BUILD);
        String start = commands.get(0).substring(BUILD.length());
        assertThat(start).isEqualTo("java -jar proxy-core/target/weir.jar");
        MatchResult ready = started(start);
        port = ready.group(1);
        adminPort = ready.group(2);
        // The first probe of the node may take too long on a machine that does much else.
        AdminClient admin = new AdminClient("http://127.0.0.1:" + adminPort);
        await().until(() -> admin.readyStatus() == 200);
    }

    @AfterAll
    static void stop() {
        if (proxy != null) {
            proxy.terminate();
            assertThat(proxy.awaitExit(PATIENCE)).as("exit code" + proxy.told()).isZero();
        }
    }

    @Test
    void everyOtherCommandIsAnsweredWell() {
        Machine.assumeProgram("curl", "apt-get install curl");
        List<String> calls = commands.stream()
                .skip(1)
                .filter(command -> !command.equals(TEST) && !command.contains(NODE))
                .toList();
        assertThat(calls).isNotEmpty();
        for (String call : calls) {
            JsonNode answer = JSON.readTree(String.join("\n", outputOf(bash(atThisProxy(call)))));
            assertThat(answer.has("error")).as(call + ": " + answer).isFalse();
            if (answer.has("jsonrpc")) {
                assertThat(answer.path("result").isObject())
                        .as(call + ": " + answer)
                        .isTrue();
            } else {
                assertThat(answer.path("networks").isEmpty())
                        .as(call + ": " + answer)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "conf/README.md"})
    void theCommandsInFrontOfANodeServeItAndWriteItsConfiguration(String page) throws IOException {
        try (AnvilNode anvil = AnvilNode.start()) {
            List<String> nodes = MarkdownBlocks.of(CHECKOUT.root().resolve(page)).in("sh").stream()
                    .filter(command -> command.contains(NODE))
                    .flatMap(String::lines)
                    .map(command -> command.replace(NODE, "--node " + anvil.url())
                            .replace("my.conf", scratch.resolve("my.conf").toString()))
                    .toList();
            try (ChildProcess run = bash(nodes.get(0) + " --port 0 --admin-port 0")) {
                String call = run.awaitLine(TRY, PATIENCE).group(1);
                assertThat(outputOf(bash(call))).containsExactly("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x0\"}");
            }
            assertThat(nodes).hasSizeGreaterThan(2);
            for (String command : nodes.subList(1, nodes.size())) {
                assertThat(outputOf(bash(command))).allMatch(line -> !line.startsWith("warning: "));
            }
            assertThat(scratch.resolve("my.conf")).content().contains(anvil.url());
        }
    }

    @Test
    void everyScriptPrintsSomething() throws IOException {
        Machine.assumeProgram("node", "apt-get install nodejs");
        Path packages = CHECKOUT.npm().resolve("node_modules");
        assumeTrue(
                Files.isDirectory(packages),
                "the npm packages are not installed: run `npm ci` in proxy-core/src/test/npm");
        assertThat(scripts).isNotEmpty();
        // Imports are looked up from where a script is, upwards.
        Path folder = Files.createTempDirectory(packages, ".readme");
        for (String script : scripts) {
            Path file = Files.writeString(folder.resolve("script.mjs"), atThisProxy(script));
            ChildProcess run = ChildProcess.start("node", folder, Map.of(), List.of("node", file.toString()));
            assertThat(outputOf(run)).anyMatch(line -> line.matches(".*0x[0-9a-f]{64}.*"));
            Files.delete(file);
        }
        Files.delete(folder);
    }

    @Test
    void theTestCommandIsWhatRunsHere() throws IOException {
        assertThat(commands).contains(TEST);
        assertThat(Files.readAllLines(CHECKOUT.root().resolve(".ci/run"))).contains(TEST);
    }

    private static MatchResult started(String command) throws IOException {
        if (isFree(8545) && isFree(9545)) {
            proxy = bash(command);
            try {
                return proxy.awaitLine(READY, PATIENCE);
            } catch (AssertionError e) {
                proxy.awaitExit(PATIENCE);
                if (isFree(8545) && isFree(9545)) {
                    throw e;
                }
                // Another program took a port in between.
            }
        }
        proxy = bash(command + " run --config " + onFreePorts());
        return proxy.awaitLine(READY, PATIENCE);
    }

    private static String atThisProxy(String text) {
        return text.replace("127.0.0.1:8545", "127.0.0.1:" + port).replace("127.0.0.1:9545", "127.0.0.1:" + adminPort);
    }

    private static ChildProcess bash(String command) {
        // `exec` would hide a second command; without it bash hands signals on only where there is one command.
        String alone = command.contains("\n") || command.contains("&&") ? command : "exec " + command;
        return ChildProcess.start(command, CHECKOUT.root(), Map.of(), List.of("bash", "-euo", "pipefail", "-c", alone));
    }

    private static List<String> outputOf(ChildProcess process) {
        try (process) {
            assertThat(process.awaitExit(PATIENCE))
                    .as("exit code" + process.told())
                    .isZero();
            return process.out();
        }
    }

    /** The same configuration on free ports, for machines on which the usual ones are taken. */
    private static Path onFreePorts() throws IOException {
        String usual = CHECKOUT.root().resolve("conf/weir.conf").toString();
        return Files.writeString(
                scratch.resolve("weir.conf"), "include file(\"" + usual + "\")\nserver.port = 0\nadmin.port = 0\n");
    }

    private static boolean isFree(int wanted) {
        try (ServerSocket socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
