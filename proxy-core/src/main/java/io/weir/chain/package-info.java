/**
 * Heads and, later, canonical hashes and finality, as what upstreams report becomes known. Does not know where reports come
 * from. Start at {@link io.weir.chain.HeadTracker}.
 */
@NullMarked
package io.weir.chain;

import org.jspecify.annotations.NullMarked;
