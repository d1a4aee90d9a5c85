/** Results in memory, within one limit in bytes. Start at {@link io.weir.cache.memory.ResultStore}. */
@NullMarked
package io.weir.cache.memory;

import org.jspecify.annotations.NullMarked;
