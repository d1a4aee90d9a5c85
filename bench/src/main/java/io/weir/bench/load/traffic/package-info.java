/**
 * The calls, and the check of their answers. Start at {@link io.weir.bench.load.traffic.Traffic} and {@link
 * io.weir.bench.load.traffic.Calls}.
 */
@NullMarked
package io.weir.bench.load.traffic;

import org.jspecify.annotations.NullMarked;
