package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;

/**
 * A node's answer, with the id that the node put on it. Immutable.
 *
 * @param id as the node wrote it; {@code null} also where it wrote none, which nodes do on errors
 */
public record NodeReply(RawJson id, RpcReply reply) {}
