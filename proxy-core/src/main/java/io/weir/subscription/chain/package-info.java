/**
 * The ordered stream of one network's blocks: what follows from a new head for clients that have seen the blocks before it.
 * No sockets and no nodes. Start at {@link io.weir.subscription.chain.ChainStream}.
 */
@NullMarked
package io.weir.subscription.chain;

import org.jspecify.annotations.NullMarked;
