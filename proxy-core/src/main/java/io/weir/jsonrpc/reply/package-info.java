/**
 * Reading nodes' answers: envelopes sliced by delimiters, and a reason for each kind of malformed answer. Start at
 * {@link io.weir.jsonrpc.reply.ReplyReader}.
 */
@NullMarked
package io.weir.jsonrpc.reply;

import org.jspecify.annotations.NullMarked;
