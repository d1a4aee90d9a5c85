/**
 * Client for nodes over sockets. {@link io.weir.upstream.link.Link} holds the rules of one event loop's connections to a node, whatever
 * their protocol: queue, deadlines, resets, reuse. A {@link io.weir.upstream.link.NodeConnectionHandler.Codec} makes connections in
 * HTTP/1.1, with one call at a time, or over WebSockets, with many. {@link io.weir.upstream.link.BatchWindow} decides which calls are sent
 * together over HTTP, and {@link io.weir.upstream.link.ReplyVerdict} what an answer means. Start at {@link io.weir.upstream.link.SocketNodeClient}.
 */
@NullMarked
package io.weir.upstream.link;

import org.jspecify.annotations.NullMarked;
