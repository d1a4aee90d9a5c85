/**
 * Client for nodes behind WebSockets: one socket per event loop, with many calls in flight on it. Start at {@link
 * io.weir.upstream.ws.WebSocketNodeClient}. {@link io.weir.upstream.ws.LoopSocket} holds the rules of the sockets, {@link
 * io.weir.upstream.ws.NodeSocketHandler} those of the messages.
 */
@NullMarked
package io.weir.upstream.ws;

import org.jspecify.annotations.NullMarked;
