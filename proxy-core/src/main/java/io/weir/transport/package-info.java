/**
 * The JSON-RPC listener. Only this package connects the bytes of sockets with calls. It knows no methods, caches or
 * upstreams. Start at {@link io.weir.transport.Listener}. A connection begins in {@code http} and may continue in
 * {@code websocket}. Both share {@code request} and {@code answer}. The lowest packages are {@code http1} and {@code log}.
 */
@NullMarked
package io.weir.transport;

import org.jspecify.annotations.NullMarked;
