package io.weir.config.load;

import io.weir.config.Folders;
import io.weir.config.TierConfig;
import io.weir.config.TierConfig.Disk;
import io.weir.config.TierConfig.Redis;
import io.weir.config.setting.Block;
import io.weir.config.setting.TextRule;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Reader of {@code cache.redis} and {@code cache.disk}. */
final class TierConfigReader {

    static final TextRule URL = new TextRule(
            TierConfigReader::isUrl,
            "redis://host:port or rediss://host:port, with or without user:password@ before and /database behind");
    static final TextRule PREFIX = TextRule.matching(
            "[A-Za-z0-9_.:-]{0,100}", "up to 100 letters, digits, underscores, dots, colons and hyphens");

    private TierConfigReader() {}

    static TierConfig read(Block cache, Folders folders) {
        return new TierConfig(redis(cache.block("redis")), disk(cache.block("disk"), folders));
    }

    private static @Nullable Redis redis(Block redis) {
        String url = redis.setting("url").secret().textOrNull(URL);
        Redis config = new Redis(
                url == null ? "" : url,
                redis.setting("prefix").text(PREFIX),
                redis.setting("ttl").millis("1 s", "3650 d"),
                redis.setting("wait").millis("1 ms", "10 s"),
                redis.setting("timeout").millis("10 ms", "1 m"),
                redis.setting("lookups").number(1, 100_000),
                redis.setting("unproven").flag());
        redis.end();
        return url == null ? null : config;
    }

    private static @Nullable Disk disk(Block disk, Folders folders) {
        String path = disk.setting("path").textOrNull(PluginsConfigReader.FOLDER);
        Disk config = new Disk(
                folders.written(path == null ? "" : path),
                disk.setting("size").bytes("1 MiB", "1 PiB"),
                disk.setting("entries").number(1_000L, 1_000_000_000L),
                disk.setting("wait").millis("1 ms", "10 s"));
        disk.end();
        return path == null ? null : config;
    }

    private static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            return url.getHost() != null
                    && (url.getScheme().equals("redis") || url.getScheme().equals("rediss"))
                    && url.getQuery() == null
                    && url.getFragment() == null
                    && (url.getPath().isEmpty() || url.getPath().matches("/[0-9]{0,5}"));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
