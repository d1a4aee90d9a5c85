/** Nodes of a {@link io.weir.bench.subscription.chain.ForkingChain} that fail on command. */
@NullMarked
package io.weir.bench.subscription.node;

import org.jspecify.annotations.NullMarked;
