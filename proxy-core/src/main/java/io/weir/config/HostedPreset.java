package io.weir.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Form;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings for providers that bill by the call: they save calls. Stateless. */
final class HostedPreset {

    static final String WORD = "hosted";

    /** The setting that names a preset, of an upstream or of a chain. */
    static final String SETTING = "preset";

    private HostedPreset() {}

    static Block over(Block upstream) {
        boolean hosted = upstream.setting(SETTING).wordOrNull(List.of(WORD)) != null;
        return hosted ? upstream.over(upstream()) : upstream;
    }

    /** Returns whether a network has upstreams, and all of them are hosted. */
    static boolean serves(Block network, Block upstreamDefaults) {
        Collection<Block> upstreams =
                network.lookInto("upstreams").entries(upstreamDefaults).values();
        return !upstreams.isEmpty()
                && upstreams.stream()
                        .allMatch(upstream -> upstream.look(SETTING).is(WORD));
    }

    private static ConfigObject upstream() {
        Map<String, Object> settings = Map.of("batch.size", 1, "subscribe", false);
        return ConfigFactory.parseMap(settings, "preset hosted").root();
    }

    /** Returns the settings of a network whose upstreams are all hosted. */
    static ConfigObject network() {
        Map<String, Object> settings = Map.of(
                "balance.hedge-percent", 0, "gather.enabled", false, "head.max-age", "3 s", "health.interval", "15 s");
        return ConfigFactory.parseMap(settings, "preset hosted").root();
    }

    static final class Name implements Form<String> {

        @Override
        public @Nullable String read(Binder binder, Block block, String name) {
            return block.look(name).is(WORD) ? WORD : null;
        }

        @Override
        public String rule() {
            return WORD;
        }
    }
}
