/** Calls that are the same and under way at once, which reach a node once. Start at {@link io.weir.pipeline.join.CoalesceStage}. */
@NullMarked
package io.weir.pipeline.join;

import org.jspecify.annotations.NullMarked;
