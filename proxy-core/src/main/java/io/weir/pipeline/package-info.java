/**
 * Pipeline of a call: the stage, the state of a call, and the answer to a request body. Independent of sockets. Start at
 * {@link io.weir.pipeline.Stage}; the plans are in {@code plan}.
 */
@NullMarked
package io.weir.pipeline;

import org.jspecify.annotations.NullMarked;
