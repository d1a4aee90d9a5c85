package io.weir.l2.deploy;

import io.weir.testing.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Deployments to begin with, and what is published of some. */
public final class Samples {
    public static final String SEPOLIA = "0x534e5f5345504f4c4941";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String VECTORS = "plugins/l2-crypto/src/test/resources/starknet/";

    private Samples() {}

    /** What starknet.js sent: three resources, everything in its normal form. */
    public static ObjectNode deployment() {
        return (ObjectNode) captured().path("deploy_account_transaction");
    }

    /** The parameters in which starknet.js sent it. */
    public static JsonNode captured() {
        return text("starknet.js/captured_wire_requests.jsonl")
                .lines()
                .map(Samples::json)
                .filter(request -> request.path("method").asString().equals("starknet_addDeployAccountTransaction"))
                .findFirst()
                .orElseThrow()
                .path("params");
    }

    /** The published hashes of deployments. */
    public static JsonNode publishedHashes() {
        return json(text("transcribed_vectors.json"))
                .path("deploy_account_v3_hash")
                .path("cases");
    }

    /** A transaction as the only parameter, by name. */
    public static ObjectNode named(JsonNode transaction) {
        ObjectNode params = JSON.createObjectNode();
        params.set("deploy_account_transaction", transaction);
        return params;
    }

    public static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    private static String text(String file) {
        try {
            return Files.readString(Checkout.find().root().resolve(VECTORS + file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
