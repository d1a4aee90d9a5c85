/**
 * Common parts of clients for nodes behind sockets: attempts, addresses, headers, TLS, connecting, and the interpretation of
 * answers. Start at {@link io.weir.upstream.wire.Attempt}, {@link io.weir.upstream.wire.NodeConnector} and {@link
 * io.weir.upstream.wire.ReplyVerdict}.
 */
@NullMarked
package io.weir.upstream.wire;

import org.jspecify.annotations.NullMarked;
