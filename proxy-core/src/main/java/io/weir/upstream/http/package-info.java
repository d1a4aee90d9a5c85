/**
 * The client for nodes behind sockets: HTTP/1.1 over connections that are kept per event loop. Start at {@link
 * io.weir.upstream.http.HttpNodeClient}; {@link io.weir.upstream.http.LoopConnections} holds the rules of the connections.
 */
@NullMarked
package io.weir.upstream.http;

import org.jspecify.annotations.NullMarked;
