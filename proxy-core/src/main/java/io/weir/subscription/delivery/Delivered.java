package io.weir.subscription.delivery;

import io.weir.subscription.log.BlockLogs;
import org.jspecify.annotations.Nullable;

/** Event of a network's stream, as every event loop with subscriptions receives it. Immutable. */
public sealed interface Delivered {

    /**
     * A new head.
     *
     * @param header in the form of a notification; nobody modifies it
     */
    record NewHead(byte[] header) implements Delivered {}

    /**
     * Logs of a block.
     *
     * @param removed whether the block is no longer canonical
     * @param sequence of the logs when they were added
     */
    record Logs(BlockLogs logs, boolean removed, long sequence) implements Delivered {}

    /**
     * The end of the subscriptions of a kind.
     *
     * @param kind null for those of all kinds
     */
    record End(@Nullable SubscriptionKind kind, String reason) implements Delivered {}
}
