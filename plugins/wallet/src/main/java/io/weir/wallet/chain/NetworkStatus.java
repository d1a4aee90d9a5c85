package io.weir.wallet.chain;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction's status by a node. Immutable.
 *
 * @param failureReason why its execution was undone, or why it was rejected; null where neither is so
 */
public record NetworkStatus(Stage stage, @Nullable String failureReason) {
    private static final int MAX_REASON = 2000;

    /** How far it has come, in the wallet's words. */
    public enum Stage {
        RECEIVED,
        PENDING,
        ACCEPTED_ON_L2,
        REJECTED
    }

    static NetworkStatus read(JsonNode node) {
        String finality = node.path("finality_status").asString();
        Stage stage = switch (finality) {
            case "RECEIVED", "CANDIDATE" -> Stage.RECEIVED;
            case "PRE_CONFIRMED", "PENDING" -> Stage.PENDING;
            case "ACCEPTED_ON_L2", "ACCEPTED_ON_L1" -> Stage.ACCEPTED_ON_L2;
            case "REJECTED" -> Stage.REJECTED;
            default -> throw new IllegalArgumentException("finality_status");
        };
        boolean failed = stage == Stage.REJECTED
                || node.path("execution_status").asString("").equals("REVERTED");
        String given = node.path("failure_reason").asString("");
        String reason = given.isEmpty() ? "the node gives no reason" : given;
        return new NetworkStatus(stage, failed ? reason.substring(0, Math.min(reason.length(), MAX_REASON)) : null);
    }
}
