/**
 * The bound on the gas that calls may ask for, which goes by the head block's gas limit. Start at {@link
 * io.weir.pipeline.gas.GasCapStage}.
 */
@NullMarked
package io.weir.pipeline.gas;

import org.jspecify.annotations.NullMarked;
