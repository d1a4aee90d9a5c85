/**
 * The comparison end to end: this proxy and others in front of the same node, in turns, on one machine. Start at {@link
 * io.weir.bench.load.Comparison}.
 */
@NullMarked
package io.weir.bench.load;

import org.jspecify.annotations.NullMarked;
