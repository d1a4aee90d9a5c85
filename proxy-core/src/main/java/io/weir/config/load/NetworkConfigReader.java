package io.weir.config.load;

import io.weir.config.Authority;
import io.weir.config.Ejection;
import io.weir.config.Folders;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.AgreeConfig;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.config.NetworkConfig.Family;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.HeadConfig;
import io.weir.config.NetworkConfig.HealthConfig;
import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.config.NetworkConfig.UnknownMethods;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.UpstreamConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reader of {@code networks}, which inherit from {@code defaults.network}. Confined to one thread. */
final class NetworkConfigReader {

    static final TextRule NAME =
            TextRule.matching("[a-z0-9][a-z0-9-]{0,62}", "a name of lower-case letters, digits and hyphens");
    static final TextRule METHOD =
            TextRule.matching("\\*|[A-Za-z][A-Za-z0-9_.]{0,127}\\*?", "a method, a prefix such as debug_*, or *");

    private static final String ETHEREUM = "ethereum";
    private static final Set<String> RESERVED = Set.of("v3", "ws", "health", "metrics", "status");
    private static final TextRule HOST =
            TextRule.matching("[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]+]", "a host name without a port");
    private static final TextRule CHAIN_NUMBER =
            TextRule.matching("[0-9]{1,78}|0x[0-9a-fA-F]{1,64}", "the chain's id, a whole number");
    private static final TextRule CHAIN_TEXT =
            TextRule.matching("[\\x21-\\x7e]{1,128}", "the chain's id, a number or a text without spaces");

    private static final TextRule MEMBER =
            TextRule.matching("[A-Za-z][A-Za-z0-9_]{0,63}", "the name of a member, such as l1Fee");

    private static final TextRule SHARE =
            TextRule.matching("(100|[0-9]{1,2}(\\.[0-9]{1,4})?) ?%", "a share from 0 % to 100 %, such as 1 % or 0.5 %");

    private static final TextRule BROADCAST =
            TextRule.matching("[1-9][0-9]{0,2}|all", "a whole number from 1 to 999, or all");

    private final Map<String, String> hostOwners = new HashMap<>();

    private NetworkConfigReader() {}

    static Map<String, NetworkConfig> readAll(Block networks, Block defaults, Folders folders) {
        Block networkDefaults = defaults.template("network");
        Block upstreamDefaults = defaults.template("upstream");
        NetworkConfigReader reader = new NetworkConfigReader();
        reader.read("", withPresets(networkDefaults, false), Map.of());
        UpstreamConfigReader.readTemplate(upstreamDefaults, folders);
        Map<String, NetworkConfig> read = new LinkedHashMap<>();
        networks.entries(networkDefaults).forEach((name, network) -> {
            if (RESERVED.contains(name)) {
                network.wrongName("another name: this one is part of the proxy's own paths");
            } else if (!NAME.test().test(name)) {
                network.wrongName(NAME.rule());
            }
            Block upstreams = network.block("upstreams");
            Map<String, UpstreamConfig> nodes = UpstreamConfigReader.readAll(upstreams, upstreamDefaults, folders);
            if (nodes.isEmpty() && network.isUsable()) {
                upstreams.wrongEmpty("at least one upstream");
            }
            boolean hosted = UpstreamConfigReader.areHosted(upstreams, upstreamDefaults);
            read.put(name, reader.read(name, withPresets(network, hosted), nodes));
        });
        if (read.isEmpty()) {
            networks.wrongEmpty("at least one network");
        }
        return Collections.unmodifiableMap(read);
    }

    /** Returns a network over the presets that it names. The preset of its upstreams wins over that of the chain. */
    private static Block withPresets(Block network, boolean hosted) {
        String name = network.setting("preset").wordOrNull(ChainPreset.names());
        Block preset =
                name == null ? network : network.over(ChainPreset.of(name).settings());
        return hosted ? preset.over(HostedPreset.network()) : preset;
    }

    private NetworkConfig read(String name, Block network, Map<String, UpstreamConfig> upstreams) {
        String kind = network.setting("kind").text(NAME);
        Setting preset = network.setting("preset");
        if (!kind.equals(ETHEREUM) && !preset.isNull()) {
            preset.wrong("none: presets are for the kind ethereum");
        }
        Family family = network.setting("family").word(Family.class);
        NetworkConfig config = new NetworkConfig(
                name,
                kind,
                chainId(network.setting("chain-id"), kind),
                hosts(name, network.setting("hosts")),
                network.setting("optional").flag(),
                upstreams,
                network.setting("verify").word(Verify.class),
                hashing(network.setting("hashing"), family),
                family,
                network.setting("verify-unknown").word(Unverifiable.class),
                Set.copyOf(network.setting("verify-members").texts(MEMBER)),
                share(network.setting("verify-sample")),
                finalityDepth(network.block("finality")),
                head(network.block("head")),
                methods(network.block("methods")),
                health(network.block("health")),
                network.setting("ejection").word(Ejection.class),
                balance(network.block("balance")),
                filters(network.block("filters")),
                subscriptions(network.block("subscriptions")),
                broadcast(network.block("transactions")),
                gather(network.block("gather")),
                cutsLogRanges(network.block("log-ranges")),
                agree(network.block("agree")));
        network.end();
        return config;
    }

    private static HeadConfig head(Block head) {
        HeadConfig config = new HeadConfig(
                head.setting("max-age").millis("0 ms", "1 h"),
                head.setting("block-time").millis("0 ms", "1 m"),
                head.setting("poll-min").millis("10 ms", "1 m"));
        head.end();
        return config;
    }

    /** Returns a share in percent as a number from 0 to 1. */
    static double share(Setting setting) {
        String percent = setting.text(SHARE).replace("%", "").trim();
        return percent.isEmpty() ? 0 : new BigDecimal(percent).movePointLeft(2).doubleValue();
    }

    /** Returns the setting, or none if the family has no rules. */
    private static Hashing hashing(Setting setting, Family family) {
        Hashing hashing = setting.word(Hashing.class);
        return family == Family.NONE ? Hashing.NONE : hashing;
    }

    /** Returns the chain id, in decimal if it is a number. */
    private static String chainId(Setting setting, String kind) {
        if (!kind.equals(ETHEREUM)) {
            return setting.text(CHAIN_TEXT);
        }
        String text = setting.text(CHAIN_NUMBER);
        if (text.isEmpty()) {
            return text;
        }
        return text.startsWith("0x")
                ? new BigInteger(text.substring(2), 16).toString()
                : new BigInteger(text).toString();
    }

    private Set<String> hosts(String network, Setting setting) {
        Set<String> hosts = new LinkedHashSet<>();
        for (Setting element : setting.elements()) {
            String text = element.text(HOST);
            if (text.isEmpty()) {
                continue;
            }
            Authority authority = Authority.parse(text);
            String host = authority == null ? text.toLowerCase(Locale.ROOT) : authority.host();
            String owner = hostOwners.putIfAbsent(host, network);
            if (owner != null && !owner.equals(network)) {
                element.wrong("a host of one network only; it is one of networks." + owner);
            }
            hosts.add(host);
        }
        return Collections.unmodifiableSet(hosts);
    }

    private static long finalityDepth(Block finality) {
        long depth = finality.setting("depth").number(0L, 1_000_000);
        finality.end();
        return depth;
    }

    private static MethodRules methods(Block methods) {
        MethodRules rules = new MethodRules(
                methods.setting("allow").texts(METHOD),
                methods.setting("deny").texts(METHOD),
                methods.setting("unknown").word(UnknownMethods.class),
                methods.setting("lenient-params").flag(),
                methods.setting("gas-cap-factor").number(0L, 1_000_000));
        methods.end();
        return rules;
    }

    private static HealthConfig health(Block health) {
        HealthConfig config = new HealthConfig(
                health.setting("interval").millis("50 ms", "1 h"),
                health.setting("idle-interval").millis("50 ms", "1 d"),
                health.setting("down-interval").millis("50 ms", "1 h"),
                health.setting("timeout").millis("10 ms", "10 m"),
                health.setting("max-lag").number(0L, 1_000_000_000));
        health.end();
        return config;
    }

    private static BalanceConfig balance(Block balance) {
        BalanceConfig config = new BalanceConfig(
                balance.setting("choice").word(NetworkConfig.Choice.class),
                balance.setting("retry-percent").number(0, 1_000),
                balance.setting("hedge-percent").number(0, 100),
                balance.setting("wait").millis("0 ms", "1 h"));
        balance.end();
        return config;
    }

    private static FilterConfig filters(Block filters) {
        FilterConfig config = new FilterConfig(
                filters.setting("max").number(0, 10_000_000),
                filters.setting("max-per-key").number(0, 10_000_000),
                filters.setting("idle").millis("1 s", "1 d"),
                filters.setting("journal-bytes").bytes("1 MiB", "16 GiB"));
        filters.end();
        return config;
    }

    private static SubscriptionConfig subscriptions(Block subscriptions) {
        SubscriptionConfig config = new SubscriptionConfig(
                subscriptions.setting("max-per-connection").number(0, 1_000_000),
                subscriptions.setting("max-per-key").number(0, 10_000_000),
                subscriptions.setting("max-criteria-per-key").number(0, 1_000_000_000),
                subscriptions.setting("charge-per-notification").number(0, 1_000_000));
        subscriptions.end();
        return config;
    }

    private static GatherConfig gather(Block gather) {
        GatherConfig config = new GatherConfig(
                gather.setting("enabled").flag(),
                gather.setting("budget-percent").number(0, 1_000));
        gather.end();
        return config;
    }

    private static boolean cutsLogRanges(Block ranges) {
        boolean cuts = ranges.setting("enabled").flag();
        ranges.end();
        return cuts;
    }

    private static AgreeConfig agree(Block agree) {
        AgreeConfig config = new AgreeConfig(
                agree.setting("methods").texts(METHOD),
                agree.setting("of").number(2, 16),
                agree.setting("by").number(2, 16),
                Set.copyOf(agree.setting("ignore").texts(MEMBER)));
        agree.end();
        return config;
    }

    private static int broadcast(Block transactions) {
        String broadcast = transactions.setting("broadcast").text(BROADCAST);
        transactions.end();
        if (broadcast.isEmpty()) {
            return 1;
        }
        return broadcast.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(broadcast);
    }
}
