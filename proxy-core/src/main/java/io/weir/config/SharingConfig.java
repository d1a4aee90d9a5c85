package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;

/**
 * Limits that several proxies share through a Redis. Immutable.
 *
 * @param url including its password, if any; empty if there is none
 */
public record SharingConfig(
        @About("Redis or Valkey for shared limits; `rediss://` is TLS. With null each proxy counts alone.")
        @Setting(form = Forms.RedisUrl.class)
        String url,

        @About("Prefix of names in Redis; proxies with the same prefix share limits of equally named keys and nodes.")
        @Setting(value = "\"weir:\"", pattern = Forms.PREFIX, rule = Forms.PREFIX_RULE)
        String prefix) {

    /** Hides the address, which may contain a password. */
    @Override
    public String toString() {
        return "SharingConfig(hidden)";
    }
}
