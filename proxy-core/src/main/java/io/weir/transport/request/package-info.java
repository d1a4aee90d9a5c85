/**
 * The parts that HTTP and WebSocket share: reading the path, admitting and rejecting requests, running bodies, pausing
 * a connection's reading, and closing it gracefully; the addresses of clients behind trusted proxies. Imports of the transport only
 * {@code http1} and {@code log}. Start at {@link io.weir.transport.request.ListenerContext} and {@link io.weir.transport.request.Admission}.
 */
@NullMarked
package io.weir.transport.request;

import org.jspecify.annotations.NullMarked;
