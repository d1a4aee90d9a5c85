package io.weir.jsonrpc.reply;

import java.util.List;

/**
 * A node's answer to a batch. Immutable.
 *
 * @param isArray false where it is a single object, with which nodes refuse a batch as a whole
 * @param replies those that are well-formed, in the order in which the node wrote them
 * @param malformed what is wrong with each of the others
 */
public record BatchReply(boolean isArray, List<NodeReply> replies, List<MalformedReplyException> malformed) {
    public BatchReply {
        replies = List.copyOf(replies);
        malformed = List.copyOf(malformed);
    }
}
