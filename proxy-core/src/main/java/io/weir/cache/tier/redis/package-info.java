/**
 * A tier in Redis or Valkey, which other proxies may share. The only package that knows its client, so that this is loaded where
 * it is wanted. Start at {@link io.weir.cache.tier.redis.RedisTier}.
 */
@NullMarked
package io.weir.cache.tier.redis;

import org.jspecify.annotations.NullMarked;
