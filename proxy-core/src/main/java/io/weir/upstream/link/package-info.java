/**
 * Client for nodes over sockets: connections per event loop, in HTTP/1.1 with one call at a time or over WebSockets with many. Start at
 * {@link io.weir.upstream.link.LoopConnections} and {@link io.weir.upstream.link.LoopSocket}, which hold the rules of the connections.
 */
@NullMarked
package io.weir.upstream.link;

import org.jspecify.annotations.NullMarked;
