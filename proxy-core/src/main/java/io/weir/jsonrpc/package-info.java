/**
 * JSON-RPC 2.0 as bytes: reading requests, slicing replies, writing replies, codes. It uses no sockets, and slices
 * instead of trees where possible. Imports nothing of the proxy. Start at {@link io.weir.jsonrpc.RequestReader} and
 * {@link io.weir.jsonrpc.RpcReply}.
 */
@NullMarked
package io.weir.jsonrpc;

import org.jspecify.annotations.NullMarked;
