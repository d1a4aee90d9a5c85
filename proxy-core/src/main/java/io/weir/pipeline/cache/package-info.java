/**
 * Calls and results in memory: reads memory for a call, decides on it, answers or forwards it, and admits nodes' answers. Start at
 * {@link io.weir.pipeline.cache.CacheStage} and {@link io.weir.pipeline.cache.CacheDecision}.
 */
@NullMarked
package io.weir.pipeline.cache;

import org.jspecify.annotations.NullMarked;
