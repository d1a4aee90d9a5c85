/** Calls that are the same and under way at once, which reach a node once. Start at {@link io.weir.pipeline.coalesce.CoalesceStage}. */
@NullMarked
package io.weir.pipeline.coalesce;

import org.jspecify.annotations.NullMarked;
