/**
 * Calls and results in memory: answering from them, joining calls that are the same, keeping answers as long as they hold, and
 * following the chain as far as that needs. Start at {@link io.weir.pipeline.cache.CacheStage}.
 */
@NullMarked
package io.weir.pipeline.cache;

import org.jspecify.annotations.NullMarked;
