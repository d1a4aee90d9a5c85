package io.weir.subscription.chain;

import io.weir.chain.BlockLink;

/**
 * Listener of a stream. Blocks come in order: each added block is a child of the one before, after the blocks between them were
 * removed, the newest first. Confined to the event loop of the stream.
 */
public interface BlockListener {

    /** Handles a new block. */
    void added(StreamBlock block);

    /** Handles that a block which was added is no longer canonical. */
    void removed(BlockLink block);

    /**
     * Handles that the stream cannot go on from the last block. It begins anew at a later one.
     *
     * @param reason for clients, in ASCII
     */
    void lost(String reason);
}
