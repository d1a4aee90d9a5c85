/**
 * Results in memory, as bytes, and which results may be kept for how long. Knows nothing of who asks. Start at {@link
 * io.weir.cache.memory.ResultStore} and {@link io.weir.method.CacheClass}.
 */
@NullMarked
package io.weir.cache;

import org.jspecify.annotations.NullMarked;
