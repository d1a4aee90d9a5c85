/** Bound on the gas of calls, derived from the head block's gas limit. Start at {@link io.weir.pipeline.gas.GasCapStage}. */
@NullMarked
package io.weir.pipeline.gas;

import org.jspecify.annotations.NullMarked;
