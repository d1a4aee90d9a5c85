/**
 * Samples of results that nothing proves: another node is asked the same before such a result is stored. Start at
 * {@link io.weir.pipeline.sample.Sampler}.
 */
@NullMarked
package io.weir.pipeline.sample;

import org.jspecify.annotations.NullMarked;
