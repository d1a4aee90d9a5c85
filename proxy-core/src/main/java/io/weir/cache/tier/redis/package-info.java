/**
 * Tier in Redis or Valkey, which other proxies may share. It is loaded on demand. Start at {@link io.weir.cache.tier.redis.RedisTier}.
 */
@NullMarked
package io.weir.cache.tier.redis;

import org.jspecify.annotations.NullMarked;
