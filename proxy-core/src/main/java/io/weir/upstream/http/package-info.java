/**
 * Client for nodes over HTTP/1.1, with connections per event loop. Start at {@link io.weir.upstream.http.HttpNodeClient}.
 * {@link io.weir.upstream.http.LoopConnections} holds the rules of the connections.
 */
@NullMarked
package io.weir.upstream.http;

import org.jspecify.annotations.NullMarked;
