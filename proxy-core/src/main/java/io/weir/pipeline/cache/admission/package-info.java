/**
 * Keeping answers: what one depends on, whether it can be proven, for how long it holds, and under which keys it is found. Start at
 * {@link io.weir.pipeline.cache.admission.CacheAdmission}.
 */
@NullMarked
package io.weir.pipeline.cache.admission;

import org.jspecify.annotations.NullMarked;
