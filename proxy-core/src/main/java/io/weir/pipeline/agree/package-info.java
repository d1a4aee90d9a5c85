/**
 * Comparison of several nodes' results: calls that are answered once enough nodes agree ({@link io.weir.pipeline.agree.Agreements}), and
 * samples of results that nothing proves before such a result is stored ({@link io.weir.pipeline.agree.Sampler}).
 */
@NullMarked
package io.weir.pipeline.agree;

import org.jspecify.annotations.NullMarked;
