package io.weir.config;

/**
 * Limits that several proxies share through a Redis. Immutable.
 *
 * @param url including its password, if any
 * @param prefix of all keys
 * @param awayPercent the part of each limit that this proxy gives out while it cannot reach the Redis
 */
public record SharingConfig(String url, String prefix, int awayPercent) {

    /** Hides the address, which may contain a password. */
    @Override
    public String toString() {
        return "SharingConfig(hidden)";
    }
}
