package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The cache tiers behind memory. Immutable. */
public record TierConfig(
        @About("Proven results of final blocks in Redis or Valkey, behind the memory.")
        @Setting(unless = "url")
        @Nullable
        Redis redis,

        @About("Results of final blocks in files, behind the memory.") @Setting(unless = "path") @Nullable
        Disk disk) {

    public static final TierConfig NONE = new TierConfig(null, null);

    /**
     * A Redis or Valkey. Immutable.
     *
     * @param url including its password, if any
     */
    public record Redis(
            @About(
                    "Redis or Valkey for proven results of final blocks, behind the memory; `rediss://` is TLS, null is none.")
            @Setting(form = Forms.RedisUrl.class)
            String url,

            @About("Prefix of all keys in Redis. Different chains with the same id need different prefixes.")
            @Setting(value = "\"weir:\"", pattern = Forms.PREFIX, rule = Forms.PREFIX_RULE)
            String prefix,

            @About("Redis forgets a result after this time.") @Setting(value = "30 d", range = "1 s to 3650 d")
            long ttlMillis) {

        /** Hides the address, which may contain a password. */
        @Override
        public String toString() {
            return "Redis(hidden)";
        }
    }

    /** A folder. Immutable. */
    public record Disk(
            @About("Folder of this proxy alone for results of final blocks.")
            @Setting(rule = "the path of a folder", written = true)
            Path path,

            @About("Bytes of all files; the oldest results go first.")
            @Setting(value = "4 GiB", path = "size", range = "1 MiB to 1 PiB")
            long sizeBytes) {}
}
