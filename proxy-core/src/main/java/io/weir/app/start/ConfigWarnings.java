package io.weir.app.start;

import io.weir.config.BudgetConfig;
import io.weir.config.ChainPreset;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamConfig.Preference;
import io.weir.config.WeirConfig;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import io.weir.method.ChainCalls;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The check for settings that are allowed and probably not meant: what they lead to, and the remedy. Confined to one thread.
 */
final class ConfigWarnings {

    private static final long DAY_MILLIS = 86_400_000;

    private final Sources sources;
    private final List<Problem> found = new ArrayList<>();

    private ConfigWarnings(Sources sources) {
        this.sources = sources;
    }

    /** Returns the warnings of a configuration without problems, one line each. */
    static List<String> of(WeirConfig config, Sources sources) {
        ConfigWarnings warnings = new ConfigWarnings(sources);
        warnings.access(config);
        warnings.unused(config);
        config.networks().values().forEach(warnings::network);
        return warnings.found.stream()
                .sorted()
                .distinct()
                .map(Problem::toString)
                .toList();
    }

    private void access(WeirConfig config) {
        boolean anonymous = config.access().anonymous();
        if (!anonymous && config.access().keys().isEmpty()) {
            warn(
                    "no key, and no call without one: every call gets 401",
                    "a key, which `key new NAME` makes, or access.anonymous = true",
                    "access");
        }
        boolean rated = config.access().addressRate().callsPerSecond() > 0
                || config.access().anonymousRate().callsPerSecond() > 0;
        String host = config.server().host();
        if (anonymous && !rated && !isLoopback(host)) {
            warn(
                    "true, and other machines reach " + host + ": each may call without a key and without bound",
                    "false, a rate for each address, or server.host = \"127.0.0.1\"",
                    "access",
                    "anonymous");
        }
        String admin = config.admin().host();
        if (!isLoopback(admin) && config.admin().tls().clientCa() == null) {
            warn(
                    admin + ": every machine that reaches it reads the state and the metrics",
                    "\"127.0.0.1\", admin.tls.client-ca, or a firewall that lets only monitoring through",
                    "admin",
                    "host");
        }
    }

    /** Warns of settings whose effect another one takes away. */
    private void unused(WeirConfig config) {
        if (!config.access().anonymous() && config.access().anonymousRate().callsPerSecond() > 0) {
            warn("without effect", "access.anonymous = true beside it", "access", "anonymous-rate");
        }
        if (config.cache().memoryBytes() == 0) {
            for (String tier : List.of("disk", "redis")) {
                if (sources.isWritten(List.of("cache", tier))) {
                    warn("without effect", "a cache.memory of more than 0 beside it", "cache", tier);
                }
            }
        }
        if (config.server().cors().origins().isEmpty()
                && !config.server().cors().headers().isEmpty()) {
            warn("without effect", "server.cors.origins beside it", "server", "cors", "headers");
        }
    }

    private void network(NetworkConfig network) {
        String chain = ChainPreset.nameOf(network.chainId());
        String preset = network.preset();
        if (preset != null && chain != null && !preset.equals(chain) && !ChainPreset.isForDevelopment(preset)) {
            warn(
                    network.chainId() + " is the chain of the preset " + chain + ", not of " + preset,
                    "the preset of the chain",
                    "networks",
                    network.name(),
                    "chain-id");
        }
        Map<URI, String> owners = new HashMap<>();
        network.upstreams().forEach((id, node) -> {
            address(network.name(), id, "url", node.url(), owners);
            address(network.name(), id, "ws-url", node.wsUrl(), owners);
            node(network, node);
        });
    }

    private void address(String network, String id, String setting, @Nullable URI url, Map<URI, String> owners) {
        String owner = url == null ? null : owners.putIfAbsent(url, id);
        if (owner != null && !owner.equals(id)) {
            String seen = "the address of " + owner + ": one node counts as two where nodes must agree";
            warn(seen, "another node", "networks", network, "upstreams", id, setting);
        }
        Problem twice = sources.statedTwice(List.of("networks", network, "upstreams", id, setting));
        if (twice != null) {
            found.add(twice);
        }
    }

    private void node(NetworkConfig network, UpstreamConfig node) {
        List<String> path = List.of("networks", network.name(), "upstreams", node.id());
        boolean unused = !node.subscribe() && node.url() != null && node.prefer() == Preference.HTTP;
        if (unused && node.wsUrl() != null) {
            warn("without effect", "subscribe = true or prefer = ws beside it", path, "ws-url");
        }
        BudgetConfig budget = node.budget();
        int serving = network.upstreams().values().stream()
                .mapToInt(UpstreamConfig::tier)
                .min()
                .orElse(0);
        long interval = node.tier() > serving
                ? network.health().idleIntervalMillis()
                : network.health().intervalMillis();
        long polls = DAY_MILLIS / interval * budget.costs().of(ChainCalls.HEAD_NUMBER);
        if (budget.perDay() > 0 && polls >= budget.perDay()) {
            warn(
                    budget.perDay() + ": polls every " + interval + " ms alone cost " + polls,
                    "a larger budget, a longer health.interval, or preset = hosted",
                    path,
                    "budget",
                    "per-day");
        }
    }

    private void warn(String seen, String remedy, List<String> block, String... rest) {
        List<String> path = new ArrayList<>(block);
        path.addAll(List.of(rest));
        found.add(sources.atName(path, seen, remedy));
    }

    private void warn(String seen, String remedy, String... path) {
        warn(seen, remedy, List.of(), path);
    }

    /** Returns whether only this machine reaches an address. */
    private static boolean isLoopback(String host) {
        return host.startsWith("127.") || host.equals("localhost") || host.equals("::1") || host.equals("[::1]");
    }
}
