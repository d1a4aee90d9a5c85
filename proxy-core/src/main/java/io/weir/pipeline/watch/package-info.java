/**
 * Following a network's chain on demand: which blocks are canonical and which are final. Start at {@link
 * io.weir.pipeline.watch.NetworkChain}.
 */
@NullMarked
package io.weir.pipeline.watch;

import org.jspecify.annotations.NullMarked;
