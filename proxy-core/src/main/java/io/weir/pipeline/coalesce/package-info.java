/** Coalescing: equal calls at the same time reach a node once. Start at {@link io.weir.pipeline.coalesce.CoalesceStage}. */
@NullMarked
package io.weir.pipeline.coalesce;

import org.jspecify.annotations.NullMarked;
