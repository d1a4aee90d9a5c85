/**
 * Keeping answers: what one depends on, whether it can be proven, for how long it holds, and under which keys it is found. Start at
 * {@link io.weir.pipeline.cache.keep.Keeper}.
 */
@NullMarked
package io.weir.pipeline.cache.keep;

import org.jspecify.annotations.NullMarked;
