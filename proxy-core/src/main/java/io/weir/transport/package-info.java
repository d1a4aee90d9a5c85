/**
 * The JSON-RPC listener: the only place that knows both bytes on a socket and calls, and knows neither methods, caches nor
 * upstreams. Start at {@link io.weir.transport.Listener}; a connection begins in {@code http} and may go on in {@code
 * websocket}; what both share is in {@code entry} and {@code answer}; {@code
 * coding} packs and unpacks; below all lie {@code peer} and {@code log}.
 */
@NullMarked
package io.weir.transport;

import org.jspecify.annotations.NullMarked;
