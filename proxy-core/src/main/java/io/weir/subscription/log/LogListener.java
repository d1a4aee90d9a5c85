package io.weir.subscription.log;

import io.weir.chain.BlockLink;

/** Listener of the logs of the stream's blocks, in the order of the chain. Confined to the event loop of the stream. */
public interface LogListener {

    /**
     * Handles the logs of a new block.
     *
     * @param sequence larger than that of any logs before
     */
    void added(BlockLogs logs, long sequence);

    /**
     * Handles that the block of logs is no longer canonical.
     *
     * @param sequence with which they were added
     */
    void removed(BlockLogs logs, long sequence);

    /** Handles that all wanted logs of a block were told. */
    void passed(BlockLink block);

    /**
     * Handles that the logs of a block are not known, and that the subscriptions to logs cannot go on.
     *
     * @param reason for clients, in ASCII
     */
    void lost(String reason);
}
