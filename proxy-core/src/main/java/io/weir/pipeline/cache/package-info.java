/**
 * Calls and results in memory: reads memory for a call, decides on it, answers or forwards it, and admits nodes' answers. Behind memory
 * equal calls coalesce ({@link io.weir.pipeline.cache.CoalesceStage}), tiers are asked ({@link io.weir.pipeline.cache.NetworkTiers}), and
 * whole blocks are fetched from the second access on ({@link io.weir.pipeline.cache.BlockPrefetcher}). Start at {@link
 * io.weir.pipeline.cache.CacheStage} and {@link io.weir.pipeline.cache.CacheDecision}.
 */
@NullMarked
package io.weir.pipeline.cache;

import org.jspecify.annotations.NullMarked;
