package io.weir.wallet;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.l2.Felt;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import io.weir.testing.WeirProcess;
import io.weir.wallet.testing.Approver;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.Secrets;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The built proxy with the built plugins, from the seed's making to a transfer in a block. */
class WalletThroughProxyIT {
    private static final String TOKEN = ScriptedNode.TOKEN.toPaddedHex();

    @TempDir
    Path scratch;

    /** Links, not what they lead to: whatever cleans up must not follow them. */
    @AfterEach
    void unlink() throws IOException {
        for (String module : List.of("l2-deploy", "wallet")) {
            Files.deleteIfExists(scratch.resolve("plugins").resolve(module));
        }
    }

    private String configuration(String node) throws Exception {
        Path plugins = Files.createDirectories(scratch.resolve("plugins"));
        link(plugins, "l2-deploy");
        link(plugins, "wallet");
        Path passphrase = Files.writeString(scratch.resolve("passphrase"), "correct horse battery staple\n");
        passphrase.toFile().setReadable(false, false);
        passphrase.toFile().setReadable(true, true);
        return String.join(
                "\n",
                "server.port = 0",
                "admin.port = 0",
                "plugins { path = [\"" + plugins + "\"], data = \"" + scratch + "/data\" }",
                "networks.sepolia { kind = l2, chain-id = SN_SEPOLIA, upstreams.node.url = \"" + node + "\" }",
                "default-network = sepolia",
                "access.keys.demo { sha256 = " + sha256("demo") + ", methods = [\"*\", \"wallet_*\"] }",
                "access.keys.plain { sha256 = " + sha256("plain") + " }",
                "plugins.wallet {",
                "  seeds { passphrase-file = \"" + passphrase + "\", argon2.memory = 8 MiB }",
                "  poll.interval = 50 ms",
                "  approval.tenants.demo { policy = allow, contracts = [\"*\"], functions = [\"*\"], messages = true,",
                "    max-fee-fri = \"1000000000\", max-fee-per-day-fri = \"1000000000\" }",
                "}",
                "");
    }

    private static void link(Path plugins, String module) throws IOException {
        Path built = Checkout.find().root().resolve("plugins").resolve(module).resolve("target/plugin");
        assertThat(built.resolve("plugin.properties"))
                .as("the built plugin (`mvn package` makes it)")
                .isRegularFile();
        Files.createSymbolicLink(plugins.resolve(module), built);
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes()));
    }

    private static JsonNode invoke(WeirProcess proxy, String key, String method, Map<String, Object> params) {
        Map<String, Object> envelope =
                Map.of("snapId", WalletFixture.SNAP_ID, "request", Map.of("method", method, "params", params));
        String url = "http://127.0.0.1:" + proxy.port() + "/v3/" + key;
        return new JsonRpcClient(url).answer("wallet_invokeSnap", envelope);
    }

    private static JsonNode result(WeirProcess proxy, String method, Map<String, Object> params) {
        JsonNode answer = invoke(proxy, "demo", method, params);
        assertThat(answer.has("result")).as(method + ": " + answer).isTrue();
        return answer.path("result");
    }

    private Secrets createSeed(Path config) {
        try (ChildProcess command =
                WeirProcess.launch("plugin", "--config", config.toString(), "wallet", "create", "demo")) {
            assertThat(command.awaitExit(Duration.ofSeconds(60)))
                    .as(command.told())
                    .isZero();
            return Secrets.of(command.out().get(command.out().size() - 1));
        }
    }

    @Test
    void anAccountOfANewSeedIsDeployedAndTransfersAndNothingTellsItsKey() throws Exception {
        try (ScriptedNode node = new ScriptedNode()) {
            node.advanceByItself();
            String text = configuration(node.url());
            Secrets secrets = createSeed(Files.writeString(scratch.resolve("weir.conf"), text));
            StringBuilder said = new StringBuilder();
            try (WeirProcess proxy = WeirProcess.start(text)) {
                await().atMost(60, SECONDS).until(() -> proxy.admin().readyStatus() == 200);
                JsonNode created = result(proxy, "l2Net_createAccount", Map.of("deploy", true));
                String address = created.path("address").stringValue();
                awaitAccepted(proxy, created.path("transaction_hash").stringValue());
                JsonNode sent = result(
                        proxy,
                        "l2Net_sendTransaction",
                        Map.of(
                                "contractAddress",
                                TOKEN,
                                "contractFuncName",
                                "transfer",
                                "contractCallData",
                                "1,2,0",
                                "senderAddress",
                                address));
                awaitAccepted(proxy, sent.path("transaction_hash").stringValue());
                assertThat(node.nonces(Felt.parse(address))).containsExactly(0L, 1L);
                node.fund(Felt.parse(address), Felt.of(1), Felt.of(1));
                assertThat(result(
                                        proxy,
                                        "l2Net_getErc20TokenBalance",
                                        Map.of("tokenAddress", TOKEN, "userAddress", address))
                                .stringValue())
                        .isEqualTo("0x1" + "0".repeat(31) + "1");
                said.append(invoke(proxy, "demo", "l2Net_getTransactions", Map.of("senderAddress", address)));
                said.append(invoke(proxy, "demo", "l2Net_getStoredUserAccounts", Map.of()));
                assertThat(said.toString()).contains("ACCEPTED_ON_L2", address);
                JsonNode refused = invoke(proxy, "plain", "l2Net_getStoredUserAccounts", Map.of());
                assertThat(refused.has("error"))
                        .as("a key whose methods are *: " + refused)
                        .isTrue();
                assertRefused(proxy, "wallet_invokeSnap", 403, -32002);
                assertRefused(proxy, "wallet_getSnaps", 200, -32601);
                said.append(get(proxy, "/metrics")).append(get(proxy, "/status"));
                said.append(proxy.process().told());
            }
            assertThat(said.toString()).contains("plugin_wallet_transactions_accepted");
            assertThat(secrets.in(said.toString())).isEmpty();
            assertThat(secrets.below(scratch.resolve("data"))).isEmpty();
        }
    }

    /** The provider object of the plugin's page, and what an application does with it. */
    private JsonNode withStarknetJs(WeirProcess proxy) throws Exception {
        Path root = Checkout.find().root();
        Path npm = root.resolve("plugins/l2-deploy/src/test/npm");
        assumeTrue(
                Files.isRegularFile(npm.resolve("node_modules/.package-lock.json")),
                "the npm packages are not installed: run `npm ci` in plugins/l2-deploy/src/test/npm");
        String page = Files.readString(root.resolve("plugins/wallet/README.md"));
        String provider = page.substring(page.indexOf("```js\n") + 6, page.indexOf("```", page.indexOf("```js\n") + 6));
        Path script = scratch.resolve("wallet-account.mjs");
        Path output = scratch.resolve("seen.json");
        Files.writeString(
                script,
                "import { createRequire } from 'node:module'\nimport { writeFileSync } from 'node:fs'\n"
                        + "const { RpcProvider, WalletAccount, typedData } = createRequire('" + npm
                        + "/package.json')('starknet')\nconst output = '" + output + "'\n"
                        + provider.replace("http://127.0.0.1:8545", "http://127.0.0.1:" + proxy.port())
                        + Files.readString(root.resolve("plugins/wallet/src/test/npm/wallet-account.mjs")));
        try (ChildProcess process =
                ChildProcess.start("wallet-account", npm, Map.of(), List.of("node", script.toString()))) {
            assertThat(process.awaitExit(Duration.ofMinutes(2)))
                    .as(process.told())
                    .isZero();
        }
        return WalletFixture.MAPPER.readTree(Files.readString(output));
    }

    @Test
    void starknetJsUsesTheProxyAsItUsesAWalletInABrowser() throws Exception {
        Machine.assumeProgram("node", "apt-get install nodejs");
        try (ScriptedNode node = new ScriptedNode()) {
            node.advanceByItself();
            String text = configuration(node.url()).replace("contracts = [\"*\"]", "contracts = [\"" + TOKEN + "\"]")
                    + "plugins.wallet { approval.timeout = 10 s, approver-sha256 = " + sha256("approve") + " }\n";
            createSeed(Files.writeString(scratch.resolve("weir.conf"), text));
            try (WeirProcess proxy = WeirProcess.start(text)) {
                await().atMost(60, SECONDS).until(() -> proxy.admin().readyStatus() == 200);
                Thread person = new Thread(
                        () -> Approver.at(proxy.adminPort(), "approve").decide("refuse"));
                person.start();
                JsonNode seen = withStarknetJs(proxy);
                person.join(10_000);
                String address = seen.path("address").stringValue();
                assertThat(seen.path("undeployed").stringValue()).isEqualTo(address);
                assertThat(seen.path("permissions").toString()).isEqualTo("[\"accounts\"]");
                assertThat(seen.path("chain").stringValue()).isEqualTo("0x534e5f5345504f4c4941");
                awaitAccepted(proxy, seen.path("hash").stringValue());
                assertThat(node.nonces(Felt.parse(address)))
                        .as("the deployment, and the transfer")
                        .containsExactly(0L, 1L);
                String key = result(proxy, "l2Net_extractPublicKey", Map.of("userAddress", address))
                        .stringValue();
                Signature signature = new Signature(
                        Felt.parse(seen.at("/signature/0").stringValue()),
                        Felt.parse(seen.at("/signature/1").stringValue()));
                assertThat(StarkSigner.verify(
                                Felt.parse(seen.path("hashOfMessage").stringValue()), signature, Felt.parse(key)))
                        .isTrue();
                assertThat(seen.path("refused").intValue()).as("by a person").isEqualTo(113);
                assertThat(seen.path("expired").stringValue()).isEqualTo("163: expired: nobody decided in time");
                assertThat(seen.path("unlisted").intValue()).isEqualTo(112);
                assertThat(seen.path("unknown").intValue()).isEqualTo(163);
            }
        }
    }

    /** The key {@code plain} may call every method but those of wallets. */
    private static void assertRefused(WeirProcess proxy, String method, int status, int code) {
        JsonRpcClient client = new JsonRpcClient("http://127.0.0.1:" + proxy.port() + "/v3/plain");
        HttpResponse<String> response = client.post(JsonRpcClient.call(method));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body()).contains("\"code\":" + code);
    }

    private static void awaitAccepted(WeirProcess proxy, String hash) {
        await().atMost(60, SECONDS)
                .until(() -> result(proxy, "l2Net_getTransactionStatus", Map.of("transactionHash", hash))
                        .stringValue()
                        .equals("ACCEPTED_ON_L2"));
    }

    private static String get(WeirProcess proxy, String path) {
        try (var in = java.net
                .URI
                .create("http://127.0.0.1:" + proxy.adminPort() + path)
                .toURL()
                .openStream()) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
