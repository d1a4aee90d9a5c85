package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Setting;

/**
 * Limits that several proxies share through a Redis. Immutable.
 *
 * @param url including its password, if any; empty if there is none
 */
public record SharingConfig(
        @About("Redis or Valkey for shared limits: `redis://host:port`, or `rediss://` for TLS, with `user:password@` "
                + "and `/database` if needed. With null each proxy keeps to its limits alone. It is never shown.")
        @Setting(form = Forms.RedisUrl.class)
        String url,

        @About("Prefix of all names in Redis. Proxies with the same prefix share the limits of keys and nodes with the "
                + "same names.")
        @Setting(value = "\"weir:\"", pattern = Forms.PREFIX, rule = Forms.PREFIX_RULE)
        String prefix) {

    /** Hides the address, which may contain a password. */
    @Override
    public String toString() {
        return "SharingConfig(hidden)";
    }
}
