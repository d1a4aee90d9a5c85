package io.weir.method;

/** A property that a method has or lacks. */
public enum MethodTrait {
    /** The proxy may send a call again that a node may have executed. */
    REPEATABLE,
    /** The call makes sense as a notification, without an answer. */
    NOTIFIABLE,
    /** The call may share a JSON-RPC batch to a node with calls of other clients. */
    BATCHABLE,
    /** The call sends a transaction and thus may change the head. */
    WRITES,
    /** The call executes code and leaves nothing behind. Its reverts reach clients in one form. */
    EXECUTES,
    /** The call reads the state after a block, which nodes keep for a while only. */
    NEEDS_STATE,
    /** The call traces transactions, or reads other data of blocks that nodes keep for debugging. */
    TRACES,
    /** The result is a number in hex that all nodes of a chain give alike, for a final block. */
    GIVES_NUMBER,
    /** The result is bytes in hex that all nodes of a chain give alike, for a final block. */
    GIVES_BYTES,
    /** The result is JSON that most nodes of a chain give alike, for a final block. Nodes of different makers may differ. */
    GIVES_JSON,
    /** The call searches logs or traces. Any caller can exceed a node's limit on the range. */
    SEARCHES,
    /** The call uses or shows the node's own keys or accounts. Networks deny it unless they allow it. */
    USES_NODE_KEY
}
