package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.TierConfig;
import io.weir.config.TierConfig.Disk;
import io.weir.config.TierConfig.Redis;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TierConfigTest {

    private static TierConfig tiers(String text) {
        return load(NETWORK + text).cache().tiers();
    }

    @Test
    void thereAreNoneUnlessOneIsNamed() {
        assertThat(tiers("")).isEqualTo(TierConfig.NONE);
        assertThat(tiers("cache.redis.ttl = 5 s, cache.disk.size = 1 GiB")).isEqualTo(TierConfig.NONE);
    }

    @Test
    void defaultsAreThoseOfTheReference() {
        TierConfig tiers = tiers("cache.redis.url = \"redis://h:1\", cache.disk.path = /d");
        assertThat(tiers.redis()).isEqualTo(new Redis("redis://h:1", "weir:", 30 * 86_400_000L));
        assertThat(tiers.disk()).isEqualTo(new Disk(Path.of("/d"), 4L << 30));
    }

    @Test
    void everySettingIsMapped() {
        TierConfig tiers = tiers("""
                cache {
                  redis {
                    url = "rediss://u:p@h:6380/3", prefix = "a:", ttl = 2 s
                  }
                  disk { path = /p, size = 2 MiB }
                }
                """);
        assertThat(tiers.redis()).isEqualTo(new Redis("rediss://u:p@h:6380/3", "a:", 2_000));
        assertThat(tiers.disk()).isEqualTo(new Disk(Path.of("/p"), 2 << 20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:geheim@h:1",
                "redis://",
                "user:geheim@h",
                "redis://user:geheim@h/db",
                "redis://user:geheim@h/0?x",
                "redis://user:geheim@ h"
            })
    void anInvalidAddressIsRejectedAndNeverShown(String url) {
        assertThat(rules("cache.redis.url = \"" + url + "\""))
                .containsExactly("cache.redis.url: (hidden) (expected: redis://host:port or rediss://host:port,"
                        + " with or without user:password@ before and /database behind)");
    }

    @Test
    void wrongValuesAreShown() {
        assertThat(rules("cache { redis { prefix = \"a b\", ttl = 0 }, disk { size = 1 B, pth = x } }"))
                .containsExactly(
                        "cache.redis.prefix: \"a b\""
                                + " (expected: up to 100 letters, digits, underscores, dots, colons and hyphens)",
                        "cache.redis.ttl: 0"
                                + " (expected: a duration with a unit, such as 250 ms or 10 s, from 1 s to 3650 d)",
                        "cache.disk.size: 1 B"
                                + " (expected: a size with a unit, such as 64 KiB or 5 MiB, from 1 MiB to 1 PiB)",
                        "cache.disk.pth: unknown setting (expected: a known setting; did you mean cache.disk.path?)");
    }

    @Test
    void theTextOfTheConfigurationHidesTheAddress() {
        assertThat(tiers("cache.redis.url = \"redis://:geheim@h:1\"").toString())
                .doesNotContain("geheim");
    }
}
