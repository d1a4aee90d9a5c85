/**
 * Requests to nodes and the meaning of their answers: batches, addresses and connecting. Start at
 * {@link io.weir.upstream.wire.ReplyVerdict} and {@link io.weir.upstream.wire.NodeConnector}.
 * {@link io.weir.upstream.wire.BatchWindow} decides which calls are sent together, {@link io.weir.upstream.wire.BatchMessage} what an answer
 * to them means.
 */
@NullMarked
package io.weir.upstream.wire;

import org.jspecify.annotations.NullMarked;
