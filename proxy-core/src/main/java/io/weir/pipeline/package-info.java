/**
 * The way of a call: its stages in order, its context, and the joining of batches. Knows nothing of sockets. Start at {@link
 * io.weir.pipeline.RequestRunner}, then {@code MethodPlans}, which lists the stages of every method.
 */
@NullMarked
package io.weir.pipeline;

import org.jspecify.annotations.NullMarked;
