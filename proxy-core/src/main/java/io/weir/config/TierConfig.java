package io.weir.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The cache tiers behind memory. Immutable.
 *
 * @param redis null for none
 * @param disk null for none
 */
public record TierConfig(@Nullable Redis redis, @Nullable Disk disk) {

    /** No tier. */
    public static final TierConfig NONE = new TierConfig(null, null);

    /**
     * A Redis or Valkey. Immutable.
     *
     * @param url including its password, if any
     * @param prefix of all keys
     * @param ttlMillis time to live of an entry
     * @param waitMillis maximum time that a call waits for it
     * @param timeoutMillis time limit for a command or a connection
     * @param lookups maximum in flight
     * @param unproven whether its unproven entries are trusted if the network verifies
     */
    public record Redis(
            String url,
            String prefix,
            long ttlMillis,
            long waitMillis,
            long timeoutMillis,
            int lookups,
            boolean unproven) {

        /** Hides the address, which may contain a password. */
        @Override
        public String toString() {
            return "Redis(hidden)";
        }
    }

    /**
     * A folder. Immutable.
     *
     * @param bytes maximum size of its files
     * @param entries maximum number of entries, whose positions are in memory
     * @param waitMillis maximum time that a call waits for it
     */
    public record Disk(Path path, long bytes, long entries, long waitMillis) {}
}
