package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;

/**
 * A node's answer, with the id that the node gave it. Immutable.
 *
 * @param id the id as the node wrote it, but a number without quotes; {@code null} also if absent, as nodes do on errors
 */
public record NodeReply(RawJson id, RpcReply reply) {}
