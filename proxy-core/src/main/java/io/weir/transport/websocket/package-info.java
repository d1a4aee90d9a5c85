/**
 * WebSocket connections: taking over a connection after the checked HTTP handshake, assembling messages, running them,
 * and answering each as it ends. Imports of the transport {@code http} (the handshake), {@code request}, {@code answer}
 * and {@code log}. Start at {@link io.weir.transport.websocket.WebSocketUpgrade}.
 */
@NullMarked
package io.weir.transport.websocket;

import org.jspecify.annotations.NullMarked;
