package io.weir.subscription.delivery;

import io.weir.jsonrpc.RpcError;
import io.weir.subscription.log.BlockLogs;
import org.jspecify.annotations.Nullable;

/** Event of a network's stream, as every event loop with subscriptions receives it. Immutable. */
public sealed interface Delivered {

    /**
     * Logs of a block.
     *
     * @param removed whether the block is no longer canonical
     * @param sequence of the logs when they were added
     */
    record Logs(BlockLogs logs, boolean removed, long sequence) implements Delivered {}

    /**
     * The result of a notification to all subscriptions of a kind without criteria.
     *
     * @param result nobody modifies it
     */
    record Result(SubscriptionKind kind, byte[] result) implements Delivered {}

    /** The end of the subscriptions of a kind, while their connections stay open. */
    record Failure(SubscriptionKind kind, RpcError error) implements Delivered {}

    /**
     * The end of the connections with subscriptions of a kind.
     *
     * @param kind null for those of all kinds
     */
    record End(@Nullable SubscriptionKind kind, String reason) implements Delivered {}
}
