package io.weir.upstream;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/** One subscription at one node. Confined to the event loop that it was made for. */
public interface NodeFeed extends AutoCloseable {

    /** Ends the subscription; its listener hears nothing more. */
    @Override
    void close();

    /** Listener of one subscription. Runs on its event loop, after the subscription was returned. */
    interface Listener {

        /**
         * Handles that the node accepted the subscription.
         *
         * @param head the node's, a moment before; -1 if it was not asked for
         */
        void began(long head);

        /** Handles the result of a notification, as the node sent it. */
        void notified(RawJson result);

        /** Handles that the node named blocks that are no longer canonical, on networks whose subscriptions have that. */
        default void reorganised(RawJson result) {}

        /** Handles the end of the subscription; runs at most once. */
        void ended(End end);
    }

    /**
     * End of a subscription. Immutable.
     *
     * @param refused whether the node has no such subscriptions, serves another chain, or sent something else
     * @param failure the node's answer to the subscription; null if it gave none, or a result
     */
    record End(boolean refused, RpcReply.@Nullable Failure failure) {}
}
