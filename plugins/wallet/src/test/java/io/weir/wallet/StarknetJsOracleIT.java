package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.l2.Felt;
import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import io.weir.testing.Runs;
import io.weir.wallet.testing.HttpChain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds signatures of messages against starknet.js, both ways. */
class StarknetJsOracleIT {
    private static final int MESSAGES = Runs.number("weir.wallet.messages", 100, 1_000);

    @TempDir
    Path folder;

    @Test
    void randomMessagesVerifyThereAndThoseSignedThereVerifyHere() throws Exception {
        Machine.assumeProgram("node", "apt-get install nodejs");
        Path npm = Checkout.find().root().resolve("plugins/l2-deploy/src/test/npm");
        assumeTrue(
                Files.isRegularFile(npm.resolve("node_modules/.package-lock.json")),
                "the npm packages are not installed: run `npm ci` in plugins/l2-deploy/src/test/npm");
        long seed = new Random().nextLong();
        RandomMessages random = new RandomMessages(new Random(seed));
        // No call of these needs a node.
        HttpChain nowhere = new HttpChain("http://127.0.0.1:9");
        try (WalletFixture wallet = WalletFixture.start(folder, nowhere, "")) {
            String address = wallet.address(0);
            List<JsonNode> messages = new ArrayList<>();
            ObjectNode input = WalletFixture.MAPPER.createObjectNode().put("address", address);
            wallet.call("l2Net_displayPrivateKey", Map.of("userAddress", address));
            input.put("privateKey", Felt.of(wallet.approvals.shown).toHex());
            ArrayNode list = input.putArray("messages");
            for (int i = 0; i < MESSAGES; i++) {
                ObjectNode message = random.next();
                messages.add(message);
                list.addObject()
                        .put("signature", sign(wallet, message, address))
                        .set("message", message);
            }
            JsonNode answers = ask(npm, input);
            IntStream.range(0, MESSAGES).parallel().forEach(i -> {
                String where = "seed " + seed + ", message " + i + ": " + messages.get(i);
                check(wallet, messages.get(i), answers.path(i), where);
            });
        }
    }

    private static void check(WalletFixture wallet, JsonNode message, JsonNode answer, String where) {
        String address = wallet.address(0);
        assertThat(answer.path("verified").booleanValue()).as(where).isTrue();
        String signature = answer.path("signature").stringValue();
        assertThat(verify(wallet, message, address, signature)).as(where).isTrue();
        if (signature.endsWith("7")) {
            String tampered = signature.substring(0, signature.length() - 1) + "8";
            assertThat(verify(wallet, message, address, tampered)).as(where).isFalse();
        }
    }

    private JsonNode ask(Path npm, JsonNode input) throws Exception {
        Path in = Files.writeString(folder.resolve("in.json"), input.toString());
        Path out = folder.resolve("out.json");
        Path script = Checkout.find().root().resolve("plugins/wallet/src/test/npm/oracle.mjs");
        List<String> command = List.of("node", script.toString(), npm.toString(), in.toString(), out.toString());
        try (ChildProcess process = ChildProcess.start("oracle", npm, Map.of(), command)) {
            assertThat(process.awaitExit(Duration.ofMinutes(3)))
                    .as(process.told())
                    .isZero();
        }
        return WalletFixture.MAPPER.readTree(Files.readString(out));
    }

    private static String sign(WalletFixture wallet, JsonNode message, String address) {
        return wallet.call(
                        "l2Net_signMessage", Map.of("typedDataMessage", message.toString(), "signerAddress", address))
                .stringValue();
    }

    private static boolean verify(WalletFixture wallet, JsonNode message, String address, String signature) {
        return wallet.call(
                        "l2Net_verifyMessage",
                        Map.of(
                                "typedDataMessage",
                                message.toString(),
                                "signerAddress",
                                address,
                                "signature",
                                signature))
                .booleanValue();
    }
}
