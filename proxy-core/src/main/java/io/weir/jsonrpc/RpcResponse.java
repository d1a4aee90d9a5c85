package io.weir.jsonrpc;

/**
 * An answer to a client, with the client's own id. Immutable.
 *
 * @param id the id as the client wrote it
 */
public record RpcResponse(RawJson id, RpcReply reply) {}
