/**
 * Real nodes for the torture run: anvils that hold one chain, are killed and stopped, and reorganise. Start at
 * {@link io.weir.bench.subscription.anvil.AnvilChain}.
 */
@NullMarked
package io.weir.bench.subscription.anvil;

import org.jspecify.annotations.NullMarked;
