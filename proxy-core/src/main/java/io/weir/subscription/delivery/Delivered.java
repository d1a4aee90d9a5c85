package io.weir.subscription.delivery;

import io.weir.jsonrpc.RpcError;
import io.weir.subscription.stream.BlockLogs;
import org.jspecify.annotations.Nullable;

/** Event of a network's stream, for subscriptions and filters. Immutable. */
public sealed interface Delivered {

    /**
     * Logs of a block.
     *
     * @param removed whether the block is no longer canonical
     * @param sequence of the logs when they were added
     */
    record Logs(BlockLogs logs, boolean removed, long sequence) implements Delivered {}

    /**
     * The result of a notification to all subscriptions of a kind without criteria. Nobody modifies the arrays.
     *
     * @param change what a filter of the kind tells instead
     */
    record Result(SubscriptionKind kind, byte[] result, byte[] change) implements Delivered {}

    /**
     * The result of a notification of blocks that are no longer canonical, to all subscriptions whose form has it. Nobody modifies the
     * array.
     *
     * @param toLogs whether it goes to the subscriptions to logs, which hear of blocks later; else to all others
     */
    record Reorganisation(byte[] result, boolean toLogs) implements Delivered {}

    /** A result, a reorganisation or a failure for one member alone. */
    record ToOne(StreamMember member, Delivered event) implements Delivered {}

    /** The height up to which everything of a kind was told. It may sink. */
    record Height(SubscriptionKind kind, long number) implements Delivered {}

    /** The end of the subscriptions of a kind, while their connections stay open. */
    record Failure(SubscriptionKind kind, RpcError error) implements Delivered {}

    /**
     * The end of the connections with subscriptions of a kind.
     *
     * @param kind null for those of all kinds
     */
    record End(@Nullable SubscriptionKind kind, String reason) implements Delivered {}
}
