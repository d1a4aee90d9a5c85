package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.subscription.log.BlockLogs;
import io.weir.subscription.log.LogPostings;

/** Change that filters tell. Immutable. */
sealed interface Change {

    /** Returns the bytes that it takes, about. */
    long bytes();

    /** A value that every filter of a kind tells: the hash of a block, or a pending transaction. */
    record Value(RawJson text) implements Change {

        /** The objects around the text. */
        private static final int OVERHEAD = 80;

        @Override
        public long bytes() {
            return (long) text.length() + OVERHEAD;
        }
    }

    /**
     * Logs of a block.
     *
     * @param postings the same logs, by their addresses
     * @param removed whether the block is no longer canonical
     * @param sequence of the logs when they were added
     */
    record Logs(BlockLogs logs, LogPostings postings, boolean removed, long sequence) implements Change {

        /** The objects of one log. */
        private static final int OVERHEAD = 600;

        @Override
        public long bytes() {
            return logs.bytes() + (long) OVERHEAD * logs.size();
        }
    }
}
