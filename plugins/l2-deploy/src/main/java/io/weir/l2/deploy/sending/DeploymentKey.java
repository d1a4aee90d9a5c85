package io.weir.l2.deploy.sending;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.l2.Felt;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which transaction on which network. Immutable.
 *
 * @param identity its hash, or a digest of all of its fields
 */
record DeploymentKey(String network, String identity) {

    /** By the hash, which says nothing of the signature. */
    static DeploymentKey ofHash(String network, Felt hash) {
        return new DeploymentKey(network, hash.toHex());
    }

    /** By every field in its normal form, the signature among them. */
    static DeploymentKey ofFields(String network, ObjectNode normal) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(normal.toString().getBytes(UTF_8));
            return new DeploymentKey(network, "fields " + HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
