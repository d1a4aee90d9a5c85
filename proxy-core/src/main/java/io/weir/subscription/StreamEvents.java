package io.weir.subscription;

import io.weir.chain.BlockLink;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.delivery.StreamMember;

/** What a stream tells its members of the blocks. Confined to the event loop of the stream. */
interface StreamEvents {

    /**
     * Counts a member.
     *
     * @param change 1 if it comes, -1 if it goes
     */
    void count(StreamMember member, int change);

    /** Handles that a member joins the stream. */
    void joined(StreamMember member, BlockLink newest);

    /** Handles that the stream begins after a block, of which nobody is told. */
    void began(BlockLink newest);

    /** Handles that the stream ends, because it has no members. */
    void ended();

    /** Handles a new block. */
    void added(StreamBlock block);

    /** Handles that a block is no longer canonical, the newest first. An added block follows. */
    void removed(BlockLink block);

    /**
     * Handles that the stream cannot go on from the last block, and begins anew after a later one.
     *
     * @param reason for clients, in ASCII
     */
    void lost(String reason, BlockLink newest);
}
