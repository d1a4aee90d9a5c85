/**
 * What is asked, and whether what came back is right. Start at {@link io.weir.bench.load.traffic.Traffic} and {@link
 * io.weir.bench.load.traffic.Calls}.
 */
@NullMarked
package io.weir.bench.load.traffic;

import org.jspecify.annotations.NullMarked;
