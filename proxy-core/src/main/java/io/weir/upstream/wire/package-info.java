/**
 * What clients for nodes behind sockets have in common: addresses, headers and TLS, making a connection, and what an answer
 * means. Knows neither pools nor health. Start at {@link io.weir.upstream.wire.NodeConnector} and {@link
 * io.weir.upstream.wire.ReplyVerdict}.
 */
@NullMarked
package io.weir.upstream.wire;

import org.jspecify.annotations.NullMarked;
