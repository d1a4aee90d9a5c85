/**
 * Heads, canonical hashes and finality of a chain, as upstreams report them. The package does not know where reports come
 * from. Start at {@link io.weir.chain.HeadTracker}.
 */
@NullMarked
package io.weir.chain;

import org.jspecify.annotations.NullMarked;
