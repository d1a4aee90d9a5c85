package io.weir.config.load;

import io.weir.config.LimitsConfig;
import io.weir.config.ParamLimit;
import io.weir.config.setting.Block;
import java.util.EnumMap;
import java.util.Map;

/** Reader of {@code limits}. */
final class LimitsConfigReader {

    private static final int MAX_COUNT = 10_000_000;

    private LimitsConfigReader() {}

    static LimitsConfig read(Block limits) {
        Map<ParamLimit, Integer> params = new EnumMap<>(ParamLimit.class);
        for (ParamLimit limit : ParamLimit.values()) {
            params.put(limit, limits.setting(limit.setting()).number(1, MAX_COUNT));
        }
        LimitsConfig config = new LimitsConfig(
                (int) limits.setting("method-name").bytes("32 B", "2 KiB"),
                (int) limits.setting("id").bytes("32 B", "1 MiB"),
                params);
        limits.end();
        return config;
    }
}
