package io.weir.config.load;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.MethodCosts;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of {@code access}. Its keys inherit from {@code defaults.key}. Confined to one thread. */
final class AccessConfigReader {

    private static final TextRule NETWORK = TextRule.matching("\\*|[a-z0-9][a-z0-9-]{0,62}", "a network, or *");

    private static final TextRule CONTRACT = TextRule.matching("0x[0-9a-fA-F]{40}", "an address of 20 bytes in hex");
    private static final TextRule TIME =
            new TextRule(AccessConfigReader::isTime, "a time with its zone, such as \"2027-01-31T00:00:00Z\"");

    // Bucket4j refills at most once per nanosecond.
    private static final long MAX_RATE = 1_000_000_000;

    /** The name of callers without a key, on the bill and in logs. */
    private static final String ANONYMOUS = "anonymous";

    private static final long MAX_UNITS = 1_000_000_000_000_000L;

    private final @Nullable Set<String> networks;
    private final Map<String, String> hashOwners = new HashMap<>();

    AccessConfigReader(@Nullable Set<String> networks) {
        this.networks = networks;
    }

    AccessConfig read(Block access, Block keyDefaults) {
        key("", keyDefaults, rate(keyDefaults.block("rate")));
        Setting anonymous = access.setting("anonymous");
        boolean admitted = anonymous.isBlock()
                || anonymous.flag("true, false, or a block such as { rate { calls-per-second = 5 } }");
        RateConfig anonymousRate = wholeRate(access.block("anonymous-rate"));
        RateConfig addressRate = anonymous.isBlock() ? addressRate(access, anonymousRate) : RateConfig.NONE;
        Map<String, KeyConfig> keys = new LinkedHashMap<>();
        access.block("keys").entries(keyDefaults).forEach((name, key) -> {
            if (!SharedRules.ID.test().test(name)) {
                key.wrongName(SharedRules.ID.rule());
            } else if (name.equals(ANONYMOUS)) {
                key.wrongName("another name; this one is of callers without a key");
            }
            keys.put(name, key(name, key, wholeRate(key.block("rate"))));
        });
        access.end();
        return new AccessConfig(admitted, anonymousRate, addressRate, Collections.unmodifiableMap(keys));
    }

    private static RateConfig addressRate(Block access, RateConfig all) {
        Block anonymous = access.template("anonymous");
        RateConfig rate = wholeRate(anonymous.block("rate"));
        boolean same = rate.weighted() == all.weighted() && rate.costs().equals(all.costs());
        if (rate.callsPerSecond() > 0 && all.callsPerSecond() > 0 && !same) {
            access.setting("anonymous").wrong("a rate that is weighted as access.anonymous-rate is");
        }
        anonymous.end();
        return rate;
    }

    private KeyConfig key(String name, Block key, RateConfig rate) {
        KeyConfig config = new KeyConfig(
                sha256(name, key.setting("sha256").secret()),
                networks(key.setting("networks")),
                Set.copyOf(key.setting("methods").texts(NetworkConfigReader.METHOD)),
                key.setting("cache-bypass").flag(),
                rate,
                bounds(key),
                key.setting("usage").flag());
        key.end();
        return config;
    }

    private static BoundConfig bounds(Block key) {
        String expires = key.setting("expires").textOrNull(TIME);
        return new BoundConfig(
                Set.copyOf(key.setting("origins").texts(ServerConfigReader.CORS_ORIGIN)),
                ServerConfigReader.blocks(key.setting("clients")),
                Set.copyOf(key.setting("contracts").texts(CONTRACT)),
                perDay(key.block("budget")),
                expires == null ? null : Instant.parse(expires));
    }

    private static long perDay(Block budget) {
        long units = budget.setting("per-day").number(0L, MAX_UNITS);
        budget.end();
        return units;
    }

    private static boolean isTime(String text) {
        try {
            return Instant.parse(text).getEpochSecond() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private String sha256(String name, Setting setting) {
        String hash = setting.text(AdminConfigReader.SHA256).toLowerCase(Locale.ROOT);
        if (!hash.isEmpty()) {
            String owner = hashOwners.putIfAbsent(hash, name);
            if (owner != null) {
                setting.wrong("another key than that of access.keys." + owner);
            }
        }
        return hash;
    }

    private Set<String> networks(Setting setting) {
        Set<String> names = new LinkedHashSet<>();
        for (Setting element : setting.elements()) {
            String name = element.text(NETWORK);
            if (!name.isEmpty() && !name.equals("*") && networks != null && !networks.contains(name)) {
                element.dangling("one of the networks, or *");
            }
            names.add(name);
        }
        return Collections.unmodifiableSet(names);
    }

    /** Reads a rate that no other one completes. One that is turned off by its own 0 may keep its burst. */
    private static RateConfig wholeRate(Block rate) {
        RateConfig config = rate(rate);
        boolean off = rate.setting("calls-per-second").isWritten();
        if (config.callsPerSecond() == 0 && config.burst() > 0 && !off) {
            rate.setting("burst").wrong("calls-per-second beside it; without it there is no rate");
        }
        return config;
    }

    private static RateConfig rate(Block rate) {
        long callsPerSecond = rate.setting("calls-per-second").number(0L, MAX_RATE);
        long burst = rate.setting("burst").number(0L, MAX_RATE);
        Setting weighted = rate.setting("weighted");
        MethodCosts costs = weighted.isBlock()
                ? BudgetConfigReader.costs(rate.block("weighted"), MethodCosts.CATALOGUE)
                : MethodCosts.CATALOGUE;
        boolean weighs = weighted.isBlock()
                || weighted.flag("true, false, or a block such as { default = 2, eth_simulateV1 = 90 }");
        rate.end();
        return new RateConfig(callsPerSecond, burst == 0 ? callsPerSecond : burst, weighs, costs);
    }
}
