/**
 * Following a network's chain as far as calls need it: what is canonical and what is final, asked for only when an answer depends
 * on it. Start at {@link io.weir.pipeline.watch.NetworkChain}.
 */
@NullMarked
package io.weir.pipeline.watch;

import org.jspecify.annotations.NullMarked;
