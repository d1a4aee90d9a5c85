package io.weir.app.start;

import com.typesafe.config.ConfigUtil;
import io.weir.config.AccessConfig;
import io.weir.config.AddressBlock;
import io.weir.config.BudgetConfig;
import io.weir.config.ChainPreset;
import io.weir.config.NetworkConfig;
import io.weir.config.ServerConfig;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamConfig.Preference;
import io.weir.config.WeirConfig;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import io.weir.method.ChainCalls;
import java.net.InetAddress;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The check for settings that are allowed and probably not meant: what they lead to, and the remedy. Confined to one thread.
 */
final class ConfigWarnings {

    private static final long DAY_MILLIS = 86_400_000;
    private static final String UNUSED = "without effect";
    /** Of the key {@code demo}. */
    private static final String DEMO = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";

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
        AccessConfig access = config.access();
        boolean alone = isLoopback(config.server().host());
        if (!access.anonymous() && access.keys().isEmpty()) {
            String remedy = "a key, which `key new NAME` makes, or access.anonymous = true";
            warn("access", "no key, and no call without one: every call gets 401", remedy);
        }
        boolean rated = access.addressRate().callsPerSecond() > 0
                || access.anonymousRate().callsPerSecond() > 0;
        if (access.anonymous() && !rated && !alone) {
            String reached = "true, and other machines reach " + config.server().host();
            String remedy = "false, a rate for each address, or server.host = \"127.0.0.1\"";
            warn("access.anonymous", reached + ": each may call without a key and without bound", remedy);
        }
        String rebinding = "every name, so that a web page can lead its visitors here";
        every(config.server().hosts(), "server.hosts", rebinding);
        every(config.admin().hosts(), "admin.hosts", rebinding);
        if (access.anonymous()) {
            every(config.server().cors().origins(), "server.cors.origins", "every web page may call without a key");
        }
        access.keys().forEach((name, key) -> key("access.keys." + ConfigUtil.quoteString(name), key, alone));
        if (config.server().trustedProxies().stream().anyMatch(block -> block.bits() == 0)) {
            String seen = "every address: each client may claim any other";
            warn("server.trusted-proxies", seen, "the addresses of your proxies");
        }
        String admin = config.admin().host();
        if (!isLoopback(admin) && config.admin().tls().clientCa() == null) {
            String remedy = "\"127.0.0.1\", admin.tls.client-ca, or a firewall that lets only monitoring through";
            warn("admin.host", admin + ": every machine that reaches it reads the state and the metrics", remedy);
        }
    }

    private void every(Collection<String> names, String path, String seen) {
        if (names.contains("*")) {
            warn(path, "*: " + seen, "the names that you use");
        }
    }

    private void key(String path, AccessConfig.KeyConfig key, boolean alone) {
        if (key.sha256().equals(DEMO) && !alone) {
            warn(path + ".sha256", "the key of the examples, which everybody knows", "a key of `key new NAME`");
        }
        Instant expires = key.bounds().expires();
        boolean over = expires != null && expires.isBefore(Instant.now());
        if (over || key.networks().isEmpty() || key.methods().isEmpty()) {
            warn(path, "permits nothing, or has expired", "networks, methods and a time to come, or no key");
        }
    }

    /** Warns of settings whose effect another one takes away. */
    private void unused(WeirConfig config) {
        if (!config.access().anonymous() && config.access().anonymousRate().callsPerSecond() > 0) {
            warn("access.anonymous-rate", UNUSED, "access.anonymous = true beside it");
        }
        if (config.cache().memoryBytes() == 0) {
            List.of("cache.disk", "cache.redis").stream()
                    .filter(tier -> sources.isWritten(ConfigUtil.splitPath(tier)))
                    .forEach(tier -> warn(tier, UNUSED, "a cache.memory of more than 0 beside it"));
        } else if (config.cache().tiers().redis() != null
                && config.networks().values().stream().noneMatch(NetworkConfig::verifies)) {
            warn(
                    "cache.redis",
                    "holds no results, because no network verifies them",
                    "a network with verify, or cache.disk");
        }
        ServerConfig.Cors cors = config.server().cors();
        if (cors.origins().isEmpty() && !cors.headers().isEmpty()) {
            warn("server.cors.headers", UNUSED, "server.cors.origins beside it");
        }
    }

    private void network(NetworkConfig network) {
        String path = "networks." + network.name();
        String chain = ChainPreset.nameOf(network.chainId());
        String preset = network.preset();
        if (preset != null && chain != null && !preset.equals(chain) && !ChainPreset.isForDevelopment(preset)) {
            String seen = network.chainId() + " is the chain of the preset " + chain + ", not of " + preset;
            warn(path + ".chain-id", seen, "the preset of the chain");
        }
        Map<String, String> owners = new HashMap<>();
        int serving = network.upstreams().values().stream()
                .mapToInt(UpstreamConfig::tier)
                .min()
                .orElse(0);
        network.upstreams().forEach((id, node) -> {
            String at = path + ".upstreams." + ConfigUtil.quoteString(id);
            address(at + ".url", id, node.url(), owners);
            address(at + ".ws-url", id, node.wsUrl(), owners);
            boolean unused = !node.subscribe() && node.url() != null && node.prefer() == Preference.HTTP;
            if (unused && node.wsUrl() != null) {
                warn(at + ".ws-url", UNUSED, "subscribe = true or prefer = ws beside it");
            }
            if (node.tls().acceptAnyCertificate() && node.usesTls()) {
                String seen = "true: whoever is in between reads and changes all";
                warn(at + ".tls.insecure-accept-any-certificate", seen, "tls.ca with the node's authority");
            }
            NetworkConfig.HealthConfig health = network.health();
            budget(at, node.budget(), node.tier() > serving ? health.idleIntervalMillis() : health.intervalMillis());
        });
    }

    private void address(String path, String id, @Nullable URI url, Map<String, String> owners) {
        String plain = String.valueOf(url).toLowerCase(Locale.ROOT).replaceFirst("/$", "");
        String owner = url == null ? null : owners.putIfAbsent(plain, id);
        if (owner != null && !owner.equals(id)) {
            String seen = "the address of " + owner + ": one node counts as two where nodes must agree";
            warn(path, seen, "another node");
        }
        Problem twice = sources.statedTwice(ConfigUtil.splitPath(path));
        if (twice != null) {
            found.add(twice);
        }
    }

    private void budget(String node, BudgetConfig budget, long pollMillis) {
        long polls = DAY_MILLIS / pollMillis * budget.costs().of(ChainCalls.HEAD_NUMBER);
        if (budget.perDay() > 0 && polls >= budget.perDay()) {
            String seen = budget.perDay() + ": polls every " + pollMillis + " ms alone cost " + polls;
            warn(node + ".budget.per-day", seen, "a larger budget or a longer health.interval");
        }
    }

    private void warn(String path, String seen, String remedy) {
        found.add(sources.atName(ConfigUtil.splitPath(path), seen, remedy));
    }

    /** Returns whether only this machine reaches an address. */
    private static boolean isLoopback(String host) {
        InetAddress address = AddressBlock.address(host);
        return host.equals("localhost") || (address != null && address.isLoopbackAddress());
    }
}
