package io.weir.jsonrpc.reply;

import java.util.List;

/**
 * A node's answer to a batch. Immutable.
 *
 * @param isArray false for a single object, with which nodes reject a batch as a whole
 * @param replies the well-formed replies, in the node's order
 * @param malformed the problems of the other replies
 */
public record BatchReply(boolean isArray, List<NodeReply> replies, List<MalformedReplyException> malformed) {
    public BatchReply {
        replies = List.copyOf(replies);
        malformed = List.copyOf(malformed);
    }
}
