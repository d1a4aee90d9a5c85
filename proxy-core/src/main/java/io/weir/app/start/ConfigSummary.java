package io.weir.app.start;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.TierConfig;
import io.weir.config.TlsConfig;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.plugin.PluginSummary;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A configuration in a few lines that a person compares with what was meant. Shows no secret. Stateless. */
final class ConfigSummary {

    private ConfigSummary() {}

    static List<String> of(WeirConfig config, Collection<PluginSummary> plugins) {
        List<String> lines = new ArrayList<>();
        config.networks().values().forEach(network -> network(network, config.defaultNetwork(), lines));
        access(config.access(), lines);
        lines.add("JSON-RPC: "
                + listener(
                        config.server().host(),
                        config.server().port(),
                        config.server().tls())
                + (config.server().hosts().isEmpty()
                        ? ""
                        : ", also as "
                                + String.join(
                                        ", ", new TreeSet<>(config.server().hosts()))));
        lines.add("admin: "
                + listener(
                        config.admin().host(),
                        config.admin().port(),
                        config.admin().tls()));
        lines.add("plugins: "
                + (plugins.isEmpty()
                        ? "none"
                        : plugins.stream()
                                .map(plugin -> plugin.id() + " " + plugin.version())
                                .collect(Collectors.joining(", "))));
        lines.add("kept: " + kept(config));
        config.networks().values().forEach(network -> unproven(network, lines));
        return lines;
    }

    /** Adds what cannot be verified on a network that verifies answers. */
    static void unproven(NetworkConfig network, List<String> lines) {
        if (network.verify() == Verify.OFF || !network.isOfEthereum()) {
            return;
        }
        ChainRules rules = ChainRules.of(network);
        String path = "networks." + network.name() + ": ";
        if (!rules.family().unprovable().isEmpty()) {
            String family = word(rules.family());
            lines.add(path + "the family " + family + " leaves unproven: "
                    + rules.family().unprovable());
        }
        if (rules.isOfOtherFamily(network.chainId())) {
            lines.add(path + "chain id " + network.chainId() + " belongs to the family "
                    + word(ChainFamily.ofKnown(network.chainId()))
                    + " (now: ethereum, by which its blocks may not be proven)");
        }
    }

    private static String word(ChainFamily family) {
        return family.name().toLowerCase(Locale.ROOT);
    }

    private static void network(NetworkConfig network, String defaultNetwork, List<String> lines) {
        StringBuilder line = new StringBuilder("network ").append(network.name());
        line.append(network.name().equals(defaultNetwork) ? " (default)" : "");
        line.append(": chain ").append(network.chainId());
        line.append(network.preset() == null ? "" : ", preset " + network.preset());
        line.append(network.hosts().isEmpty() ? "" : ", as " + String.join(", ", new TreeSet<>(network.hosts())));
        lines.add(line.toString());
        Collection<UpstreamConfig> nodes = network.upstreams().values();
        nodes.stream()
                .map(UpstreamConfig::tier)
                .distinct()
                .sorted()
                .forEach(tier -> lines.add("  tier " + tier + ": "
                        + nodes.stream()
                                .filter(node -> node.tier() == tier)
                                .map(ConfigSummary::node)
                                .collect(Collectors.joining(", "))));
    }

    private static String node(UpstreamConfig node) {
        List<String> traits = new ArrayList<>();
        if (node.wsUrl() != null && node.subscribe()) {
            traits.add("WebSocket");
        }
        if (node.isHosted()) {
            traits.add("hosted");
        }
        if (node.budget().perDay() > 0) {
            traits.add(node.budget().perDay() + " units a day");
        }
        return node.id() + (traits.isEmpty() ? "" : " (" + String.join(", ", traits) + ")");
    }

    private static void access(AccessConfig access, List<String> lines) {
        access.keys()
                .forEach((name, key) -> lines.add("key " + name + ": " + rate(key.rate())
                        + (key.bounds().unitsPerDay() > 0 ? ", " + key.bounds().unitsPerDay() + " units a day" : "")
                        + ", networks " + String.join(" ", new TreeSet<>(key.networks()))
                        + ", methods " + String.join(" ", new TreeSet<>(key.methods()))));
        String anonymous = rate(access.anonymousRate()) + " for all"
                + (access.addressRate().callsPerSecond() > 0
                        ? ", " + rate(access.addressRate()) + " for each address"
                        : "");
        lines.add("without a key: " + (access.anonymous() ? anonymous : "refused"));
    }

    private static String rate(RateConfig rate) {
        return rate.callsPerSecond() == 0
                ? "no rate"
                : rate.callsPerSecond() + (rate.weighted() ? " units/s" : " calls/s") + ", burst " + rate.burst();
    }

    private static String listener(String host, int port, TlsConfig tls) {
        return tls.url(host, port == 0 ? "any free port" : port);
    }

    private static String kept(WeirConfig config) {
        List<String> kept = new ArrayList<>();
        kept.add("results in " + size(config.cache().memoryBytes()) + " of memory");
        TierConfig.Disk disk = config.cache().tiers().disk();
        if (disk != null) {
            kept.add("results in " + size(disk.sizeBytes()) + " of files in " + disk.path());
        }
        TierConfig.Redis redis = config.cache().tiers().redis();
        if (redis != null) {
            kept.add("results in Redis with the prefix " + redis.prefix());
        }
        if (config.server().data() != null) {
            kept.add("used budgets in " + config.server().data());
        }
        if (config.server().accessLog() != null) {
            kept.add("requests in " + config.server().accessLog());
        }
        return String.join("; ", kept);
    }

    private static String size(long bytes) {
        return bytes >> 20 > 0 || bytes == 0 ? (bytes >> 20) + " MiB" : bytes + " B";
    }
}
