package io.weir.config.load;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import java.util.Map;

/** Settings for providers that bill by the call: they save calls. Stateless. */
final class HostedPreset {

    static final String WORD = "hosted";

    private HostedPreset() {}

    /** Returns the settings of an upstream. */
    static ConfigObject upstream() {
        Map<String, Object> settings = Map.of("batch.enabled", false, "null-checks", 0, "subscribe", false);
        return ConfigFactory.parseMap(settings, "preset hosted").root();
    }

    /** Returns the settings of a network whose upstreams are all hosted. */
    static ConfigObject network() {
        Map<String, Object> settings = Map.of(
                "balance.hedge-percent",
                0,
                "gather.enabled",
                false,
                "head.max-age",
                "3 s",
                "head.poll-min",
                "2 s",
                "health.interval",
                "15 s",
                "health.idle-interval",
                "5 m",
                "health.down-interval",
                "15 s");
        return ConfigFactory.parseMap(settings, "preset hosted").root();
    }
}
