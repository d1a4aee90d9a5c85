/**
 * Common parts of clients for nodes behind sockets: addresses, headers, TLS, connecting, and the interpretation of answers.
 * The package knows neither pools nor health. Start at {@link io.weir.upstream.wire.NodeConnector} and {@link
 * io.weir.upstream.wire.ReplyVerdict}.
 */
@NullMarked
package io.weir.upstream.wire;

import org.jspecify.annotations.NullMarked;
