package io.weir.jsonrpc;

/** One element of a request body: a call, or what was no call. Immutable. */
public sealed interface RequestItem permits RpcCall, InvalidRequest {}
