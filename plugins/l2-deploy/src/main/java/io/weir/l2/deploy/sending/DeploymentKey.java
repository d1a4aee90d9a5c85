package io.weir.l2.deploy.sending;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which transaction on which network. Immutable.
 *
 * @param identity a digest of its fields
 */
record DeploymentKey(String network, String identity) {

    /**
     * Returns the key by every field but the signature. Transactions with the same key have the same hash on the chain, which takes much
     * longer to compute.
     */
    static DeploymentKey unsigned(String network, ObjectNode normal) {
        ObjectNode unsigned = normal.objectNode();
        normal.forEachEntry((name, value) -> {
            if (!name.equals("signature")) {
                unsigned.set(name, value);
            }
        });
        return signed(network, unsigned);
    }

    /** Returns the key by every field in its normal form, the signature among them. */
    static DeploymentKey signed(String network, ObjectNode normal) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(normal.toString().getBytes(UTF_8));
            return new DeploymentKey(network, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
