package io.weir.config;

import java.util.EnumMap;
import java.util.Map;

/**
 * Limits on what one call may hold. Immutable.
 *
 * @param methodNameBytes the longest method name, as it was written
 * @param idBytes the longest id, as it was written
 * @param params the limits on parameters, every one of them
 */
public record LimitsConfig(int methodNameBytes, int idBytes, Map<ParamLimit, Integer> params) {

    /** The limits of a configuration that sets none. */
    public static final LimitsConfig DEFAULT = new LimitsConfig(128, 1_024, presets());

    public LimitsConfig {
        params = Map.copyOf(params);
    }

    private static Map<ParamLimit, Integer> presets() {
        Map<ParamLimit, Integer> presets = new EnumMap<>(ParamLimit.class);
        for (ParamLimit limit : ParamLimit.values()) {
            presets.put(limit, limit.preset());
        }
        return presets;
    }
}
