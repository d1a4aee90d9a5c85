/**
 * The way of a call: what a stage is, what a call carries along, and what a request body is answered with. Knows nothing of
 * sockets. Start at {@link io.weir.pipeline.Stage}; the ways themselves are in {@code plan}.
 */
@NullMarked
package io.weir.pipeline;

import org.jspecify.annotations.NullMarked;
