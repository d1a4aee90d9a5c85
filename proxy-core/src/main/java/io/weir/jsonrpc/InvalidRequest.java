package io.weir.jsonrpc;

/**
 * What stood where a call should be, and the error to answer it with. Immutable.
 *
 * @param id the id to answer under: as written where one could be told, else {@code null}
 */
public record InvalidRequest(RawJson id, RpcError error) implements RequestItem {}
