package io.weir.upstream.head;

/** Subscription to the new blocks of one node. Confined to the monitor's event loop. */
public interface HeadSubscription {

    /** Ends the subscription; its listener hears nothing more. */
    void close();

    /** Listener of one subscription. Runs on the monitor's event loop, after the subscription was returned. */
    interface Listener {

        /**
         * Notes that the node accepted the subscription.
         *
         * @param head the node's, a moment before
         */
        void began(long head);

        /** Handles an announced block. If the announcement was unusable, it shows none. */
        void announced(BlockAnswer block);

        /**
         * Handles the end of the subscription; runs at most once.
         *
         * @param refused whether the node has no such subscriptions, or serves another chain
         */
        void ended(boolean refused);
    }
}
