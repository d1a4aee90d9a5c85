package io.weir.config;

import java.util.EnumMap;
import java.util.Map;

/**
 * Limits on the content of one call. Immutable.
 *
 * @param methodNameBytes maximum length of a method name, as written
 * @param idBytes maximum length of an id, as written
 * @param params all limits on parameters
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
