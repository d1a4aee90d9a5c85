/**
 * The WebSocket front door: taking over a connection whose handshake the HTTP front door has checked, putting messages
 * together, running them, and answering each as it ends. Imports of the transport {@code http} (the handshake), {@code entry},
 * {@code answer} and {@code log}. Start at {@link io.weir.transport.websocket.WebSocketUpgrade}.
 */
@NullMarked
package io.weir.transport.websocket;

import org.jspecify.annotations.NullMarked;
