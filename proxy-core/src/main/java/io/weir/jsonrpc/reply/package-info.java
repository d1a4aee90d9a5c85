/**
 * Reading what nodes answer: envelopes sliced by delimiters, each way of being malformed named. Start at {@link
 * io.weir.jsonrpc.reply.ReplyReader}.
 */
@NullMarked
package io.weir.jsonrpc.reply;

import org.jspecify.annotations.NullMarked;
