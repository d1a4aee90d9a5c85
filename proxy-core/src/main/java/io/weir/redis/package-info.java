/**
 * Connections to Redis or Valkey, for the tier of the cache and for shared limits. Only classes that are loaded where a Redis is
 * configured use it. Start at {@link io.weir.redis.RedisLink}.
 */
@NullMarked
package io.weir.redis;

import org.jspecify.annotations.NullMarked;
