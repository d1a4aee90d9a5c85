package io.weir.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is behind the memory of results. Immutable.
 *
 * @param redis null where there is none
 * @param disk null where there is none
 */
public record TierConfig(@Nullable Redis redis, @Nullable Disk disk) {

    /** There is nothing. */
    public static final TierConfig NONE = new TierConfig(null, null);

    /**
     * A Redis or Valkey.
     *
     * @param url with its password, where it has one
     * @param prefix of all keys
     * @param ttlMillis after which an entry is forgotten
     * @param waitMillis that a call waits for it
     * @param timeoutMillis after which a command or a connection has failed
     * @param packFrom bytes from which on a result is packed
     * @param maxEntryBytes of one entry, unpacked
     * @param lookups that may be under way at once
     * @param queue results that may wait to be stored
     * @param queueBytes of these
     * @param unproven whether it is believed in what nothing proves, where the network verifies
     */
    public record Redis(
            String url,
            String prefix,
            long ttlMillis,
            long waitMillis,
            long timeoutMillis,
            int packFrom,
            int maxEntryBytes,
            int lookups,
            int queue,
            long queueBytes,
            boolean unproven) {

        /** Without the address: there may be a password in it. */
        @Override
        public String toString() {
            return "Redis(hidden)";
        }
    }

    /**
     * A folder.
     *
     * @param bytes the most of its files
     * @param entries the most that are kept in it, whose places are in memory
     * @param waitMillis that a call waits for it
     * @param packFrom bytes from which on a result is packed
     * @param queue results that may wait to be stored
     * @param queueBytes of these
     */
    public record Disk(
            Path path, long bytes, long entries, long waitMillis, int packFrom, int queue, long queueBytes) {}
}
