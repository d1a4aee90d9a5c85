package io.weir.method;

/** The stage of its own that a method needs. */
public enum MethodRole {
    /** None: the method takes the path that its other columns decide. */
    PLAIN,
    /** The configured chain id answers the call. */
    CHAIN_ID,
    /** The network's head answers the call. */
    HEAD_NUMBER,
    /** The place of the network's head answers the call: its hash and its number. */
    HEAD_BLOCK,
    /** None, but the answer of a plugin's kind of network names its block. */
    IN_BLOCK,
    /** Begins notifications. */
    SUBSCRIBE,
    /** Ends notifications. */
    UNSUBSCRIBE,
    /** Creates a filter of logs. */
    NEW_LOG_FILTER,
    /** Creates a filter of the hashes of new blocks. */
    NEW_BLOCK_FILTER,
    /** Creates a filter of pending transactions. */
    NEW_PENDING_FILTER,
    /** Returns a filter's new results, each of them once. */
    FILTER_CHANGES,
    /** Returns all logs of a filter. */
    FILTER_LOGS,
    /** Removes a filter. */
    UNINSTALL_FILTER,
    /** Sends a signed transaction, whose hash shows that two calls send the same one. */
    SEND_RAW,
    /** Sends one, and waits for its receipt. */
    SEND_RAW_SYNC;

    /** Returns whether the stream of the network's events serves the method, and no single node. */
    public boolean isOfStream() {
        return switch (this) {
            case SUBSCRIBE,
                    UNSUBSCRIBE,
                    NEW_LOG_FILTER,
                    NEW_BLOCK_FILTER,
                    NEW_PENDING_FILTER,
                    FILTER_CHANGES,
                    FILTER_LOGS,
                    UNINSTALL_FILTER -> true;
            default -> false;
        };
    }
}
