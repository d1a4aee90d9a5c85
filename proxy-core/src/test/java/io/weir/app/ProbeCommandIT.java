package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.Checkout;
import io.weir.testing.FreePorts;
import io.weir.testing.GethNode;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.RawNode;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code probe} before real nodes, and before scripted ones with narrow bounds and faults. */
final class ProbeCommandIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Path GUIDE = Checkout.find().root().resolve("conf/configuration.md");

    @TempDir
    private Path folder;

    private CommandLineRun probe(String networks, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("my.conf"), networks + "\nplugins.path = []\n");
        String[] words = new String[options.length + 2];
        words[0] = "probe";
        System.arraycopy(options, 0, words, 1, options.length);
        words[words.length - 1] = "--config=" + file;
        return CommandLineRun.of(words);
    }

    private static JsonNode node(CommandLineRun run, String id) {
        assertThat(run.err()).isEmpty();
        for (JsonNode network : JSON.readTree(run.out()).path("networks")) {
            for (JsonNode node : network.path("nodes")) {
                if (node.path("id").asString().equals(id)) {
                    return node;
                }
            }
        }
        throw new AssertionError(id + " in " + run.out());
    }

    private static String network(String name, String chainId, String upstreams) {
        return "networks." + name + " { chain-id = " + chainId + ", upstreams { " + upstreams + " } }\n";
    }

    @Test
    void realNodesTellWhatTheyHave() throws IOException {
        try (AnvilNode anvil = AnvilNode.start();
                GethNode geth = GethNode.start("--http.api", "eth,web3,debug", "--gcmode", "archive")) {
            new JsonRpcClient(anvil.url()).result("anvil_mine", "0x12c");
            CommandLineRun run = probe(
                    network("anvil", "31337", "a { url = \"" + anvil.url() + "\" }")
                            + network("geth", "1337", "g.url = \"" + geth.url() + "\"")
                            + network(
                                    "socket",
                                    "31337",
                                    "w.ws-url = \"" + anvil.url().replace("http", "ws") + "\"")
                            + "default-network = anvil",
                    "--json");
            assertThat(run.exitCode()).as(run.out()).isZero();
            JsonNode facts = node(run, "a").path("facts");
            assertThat(facts.path("chainId").asString()).isEqualTo("31337");
            assertThat(facts.path("client").asString()).startsWith("anvil/");
            assertThat(facts.path("head").asLong()).isEqualTo(300);
            assertThat(facts.path("oldestBlock").asLong()).isEqualTo(1);
            assertThat(facts.path("stateAtHeadMinus128").asBoolean()).isTrue();
            assertThat(facts.has("stateAtHeadMinus10000")).isFalse();
            assertThat(facts.path("logRange").asInt()).isEqualTo(100);
            assertThat(facts.path("batch").asInt()).isEqualTo(1000);
            assertThat(facts.path("webSocket").asBoolean()).isTrue();
            assertThat(facts.path("requests").asInt()).isBetween(20, ProbeClient.MAX_REQUESTS);
            JsonNode other = node(run, "g").path("facts");
            assertThat(other.path("client").asString()).startsWith("Geth/");
            assertThat(other.path("proof").asBoolean()).isTrue();
            assertThat(other.path("traceBlock").asBoolean(true)).isFalse();
            assertThat(other.path("gzip").asBoolean()).isTrue();
            assertThat(other.path("webSocket").asBoolean(true)).isFalse();
            assertThat(node(run, "g").path("notes").has("webSocket")).isTrue();
            JsonNode socket = node(run, "w").path("facts");
            assertThat(socket.path("head").asLong()).isEqualTo(300);
            assertThat(socket.path("batch").asInt()).isEqualTo(1000);
            assertThat(socket.has("gzip")).isFalse();
        }
    }

    @Test
    void theBoundsOfAProviderAreFoundAndItsSecretsAreNotShown() throws IOException {
        try (LimitedProvider provider = new LimitedProvider("0x1", 25_000)) {
            provider.setVersion("limited\\u001b[31m/v1 " + "long ".repeat(100));
            String node = "p { url = \"" + provider.url() + "\", headers { X-Secret = \"s3cretOfTheHeader\" }"
                    + ", budget { per-day = 1000000, costs { default = 2, eth_getLogs = 75, eth_chainId = 0 } } }";
            CommandLineRun run = probe(network("net", "1", node), "--json");
            assertThat(run.exitCode()).as(run.out()).isZero();
            JsonNode facts = node(run, "p").path("facts");
            JsonNode notes = node(run, "p").path("notes");
            assertThat(facts.path("batch").asInt()).isEqualTo(10);
            assertThat(notes.path("batch").asString()).isEqualTo("20 refused: batch of more than 10 calls (-32600)");
            assertThat(facts.path("logRange").asInt()).isEqualTo(500);
            assertThat(notes.path("logRange").asString())
                    .isEqualTo("1000 refused: block range too large, at most 800 blocks (-32602);"
                            + " the proxy would then ask for 800");
            assertThat(facts.path("oldestBlock").asLong()).isEqualTo(1_234);
            assertThat(facts.path("stateAtHeadMinus128").asBoolean()).isTrue();
            assertThat(facts.path("stateAtHeadMinus10000").asBoolean(true)).isFalse();
            assertThat(facts.path("stateAtBlock1").asBoolean(true)).isFalse();
            assertThat(facts.path("proof").asBoolean(true)).isFalse();
            assertThat(facts.path("blockReceipts").isNull()).isTrue();
            assertThat(notes.path("blockReceipts").asString()).isEqualTo("rate limited: HTTP 429, slow down (429)");
            assertThat(facts.path("rateLimited").asInt()).isEqualTo(1);
            assertThat(facts.path("headAgeSeconds").asLong()).isBetween(7L, 60L);
            assertThat(facts.path("unitsPerDay").asLong()).isEqualTo(1_000_000);
            assertThat(facts.path("unitsOfLogs").asLong()).isEqualTo(75);
            assertThat(facts.path("client").asString()).startsWith("limited").hasSizeLessThan(170);
            assertThat(notes.path("traceBlock").asString()).isEqualTo("internal error (-32000)");
            assertThat(provider.credentials()).isNotEmpty().containsOnly("s3cretOfTheHeader");
            assertThat(run.out())
                    .doesNotContain(LimitedProvider.KEY, "s3cretOfTheHeader", "127.0.0.1", "\u001b")
                    .isEqualTo(run.out().replaceAll("[^\\x20-\\x7e…\\ufffd\\n]", ""));
        }
    }

    @Test
    void nodesThatCallsCannotUseAreProblems() throws IOException {
        try (LimitedProvider best = new LimitedProvider("0x1", 25_000);
                LimitedProvider behind = new LimitedProvider("0x1", 24_900);
                LimitedProvider other = new LimitedProvider("0x5", 90_000)) {
            CommandLineRun run = probe(
                    network(
                            "net",
                            "1",
                            "best.url = \"" + best.url() + "\", behind.url = \"" + behind.url() + "\", other.url = \""
                                    + other.url() + "\", gone.url = \"http://127.0.0.1:" + FreePorts.next()
                                    + "/v2/aSecretKey123\""),
                    "--network",
                    "net");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.outLines())
                    .contains(
                            "problem: net.behind: 100 blocks behind (expected: at most 8, as health.max-lag)",
                            "problem: net.other: chain id 5 (expected: 1)",
                            "problem: net.gone: no chain id: no connection")
                    .filteredOn(line -> line.startsWith("problem: "))
                    .hasSize(3);
            assertThat(run.out()).doesNotContain("aSecretKey123", LimitedProvider.KEY);
        }
    }

    @Test
    void aNodeBehindTlsIsAskedWithTheAuthorityAndTheCertificateOfItsSettings() throws Exception {
        TestAuthority authority = new TestAuthority("nodes");
        TestAuthority clients = new TestAuthority("clients");
        Issued proxy = clients.issue("proxy");
        proxy.write(folder.resolve("own.pem"), folder.resolve("own.key"));
        Files.writeString(folder.resolve("ca.pem"), authority.pem());
        ServerSocket socket = TestAuthority.serverSocket(authority.issue("localhost"), clients);
        try (RawNode node = new RawNode(socket, 0, ProbeCommandIT::serveChain)) {
            String url = "url = \"https://localhost:" + node.port() + "\"";
            String own = ", certificate = own.pem, key = own.key } }";
            CommandLineRun run = probe(
                    network(
                            "net",
                            "1",
                            "known { " + url + ", tls { ca = ca.pem" + own + ", any { "
                                    + url.replace("localhost", "127.0.0.1")
                                    + ", tls { insecure-accept-any-certificate = true" + own + ", unknown { " + url
                                    + " }, lost { " + url + ", tls.ca = lost.pem }"),
                    "--json");
            for (String id : List.of("known", "any")) {
                assertThat(node(run, id).path("facts").path("chainId").asString())
                        .as(run.out())
                        .isEqualTo("1");
            }
            assertThat(node(run, "lost").path("problems").path(0).asString()).startsWith("tls: ");
            assertThat(node(run, "unknown").path("problems").path(0).asString())
                    .startsWith("no chain id: a certificate that is not trusted");
        }
    }

    /** Answers each call with the chain id, and so none but the first as it should. */
    private static void serveChain(RawNode.Connection connection) throws IOException {
        while (true) {
            connection.read();
            connection.answer("200 OK", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x1\"}");
        }
    }

    @Test
    void anAnswerWithoutAnEndIsLeft() throws IOException {
        try (RawNode node = new RawNode(connection -> {
            connection.read();
            connection.write("HTTP/1.1 200 OK\r\n\r\n");
            while (true) {
                connection.write(" ".repeat(1 << 16));
            }
        })) {
            CommandLineRun run = probe(network("net", "1", "n.url = \"http://127.0.0.1:" + node.port() + "\""));
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.outLines()).contains("problem: net.n: no chain id: an answer over 4 MiB, which is not read");
        }
    }

    @Test
    void otherKindsOfNetworksAndNodesOfPluginsAreNamedAsNotProbed() throws IOException {
        CommandLineRun run =
                probe("networks.status-of { kind = other, chain-id = X, upstreams.a.url = \"http://127.0.0.1:1\" }\n"
                        + network("net", "1", "b.url = \"devnet:default\"")
                        + "default-network = net");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.outLines())
                .contains(
                        "network status-of: chain X, not probed: kind other",
                        "    chain id                  ?; not probed: a plugin opens addresses of the scheme devnet");
    }

    @Test
    void anUnknownNetworkIsWrongUsageAndAWrongConfigurationAProblem() throws IOException {
        CommandLineRun usage = probe(network("net", "1", "a.url = \"http://127.0.0.1:1\""), "--network=lost");
        assertThat(usage.exitCode()).isEqualTo(2);
        assertThat(usage.err()).contains("--network: lost (expected: one of net)");
        CommandLineRun wrong = probe(network("net", "1", "a.url = \"http://127.0.0.1:1\", a.teir = 1"));
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("teir: unknown setting");
    }

    @Test
    void theCommandOfThePagePrintsWhatThePageShows() throws IOException {
        MarkdownBlocks page = MarkdownBlocks.of(GUIDE);
        List<String> commands = page.in("sh").stream()
                .filter(command -> command.contains(" probe "))
                .toList();
        assertThat(commands).containsExactly("java -jar proxy-core/target/weir.jar probe --config my.conf");
        try (AnvilNode anvil = AnvilNode.start();
                LimitedProvider provider = new LimitedProvider("0x7a69", 1_500)) {
            new JsonRpcClient(anvil.url()).result("anvil_mine", "0x5dc");
            CommandLineRun run = probe(
                    network(
                            "net",
                            "31337",
                            "own { url = \"" + anvil.url() + "\" }, provider { url = \"" + provider.url()
                                    + "\", budget { per-day = 1000000, costs { default = 2, eth_getLogs = 75, eth_chainId = 0 } } }"));
            assertThat(run.exitCode()).as(run.out()).isZero();
            assertThat(page.in("text"))
                    .anySatisfy(shown -> assertThat(lines(shown)).isEqualTo(lines(run.out())));
        }
    }

    /** Returns the lines of an output without those that differ in each run. */
    private static List<String> lines(String output) {
        return output.lines()
                .filter(line -> !line.matches(" +(client|head age|median|worst) .*"))
                .toList();
    }
}
