package io.weir.plugin;

import io.weir.access.Caller;
import io.weir.config.WeirConfig;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names in the configuration that a plugin's settings may refer to. Immutable.
 *
 * @param callers names of the API keys, and that of calls without a key if they are served
 * @param networksByKind names of the networks, by kind
 */
public record ConfiguredNames(Set<String> callers, Map<String, Set<String>> networksByKind) {

    /** No names. */
    public static final ConfiguredNames NONE = new ConfiguredNames(Set.of(), Map.of());

    public ConfiguredNames {
        callers = Set.copyOf(callers);
        networksByKind = Map.copyOf(networksByKind);
    }

    public static ConfiguredNames of(WeirConfig config) {
        Set<String> callers = new TreeSet<>(config.access().keys().keySet());
        if (config.access().anonymous()) {
            callers.add(Caller.ANONYMOUS);
        }
        Map<String, Set<String>> byKind = new TreeMap<>();
        config.networks()
                .values()
                .forEach(network -> byKind.computeIfAbsent(network.kind(), kind -> new TreeSet<>())
                        .add(network.name()));
        byKind.replaceAll((kind, names) -> Set.copyOf(names));
        return new ConfiguredNames(callers, byKind);
    }
}
