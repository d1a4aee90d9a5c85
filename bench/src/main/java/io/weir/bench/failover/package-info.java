/** Load before real nodes of which each in turn is killed, stopped, slowed and cut. */
@NullMarked
package io.weir.bench.failover;

import org.jspecify.annotations.NullMarked;
