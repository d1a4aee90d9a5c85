/** A chain in this process that grows and reorganises, with right hashes, roots and blooms. */
@NullMarked
package io.weir.bench.subscription.chain;

import org.jspecify.annotations.NullMarked;
