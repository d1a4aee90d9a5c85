/**
 * The ordered streams of one network: its blocks, their logs, and what only nodes tell. What follows from a new head for clients that
 * have seen the blocks before it. Start at {@link io.weir.subscription.stream.ChainStream}, {@link io.weir.subscription.stream.LogStream}
 * and {@link io.weir.subscription.stream.FailoverFeed}.
 */
@NullMarked
package io.weir.subscription.stream;

import org.jspecify.annotations.NullMarked;
