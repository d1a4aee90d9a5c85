package io.weir.config.load;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
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
        key("", keyDefaults);
        boolean anonymous = access.setting("anonymous").flag();
        RateConfig anonymousRate = rate(access.block("anonymous-rate"));
        Map<String, KeyConfig> keys = new LinkedHashMap<>();
        access.block("keys").entries(keyDefaults).forEach((name, key) -> {
            if (!SharedRules.ID.test().test(name)) {
                key.wrongName(SharedRules.ID.rule());
            } else if (name.equals(ANONYMOUS)) {
                key.wrongName("another name; this one is of callers without a key");
            }
            keys.put(name, key(name, key));
        });
        access.end();
        return new AccessConfig(anonymous, anonymousRate, Collections.unmodifiableMap(keys));
    }

    private KeyConfig key(String name, Block key) {
        KeyConfig config = new KeyConfig(
                sha256(name, key.setting("sha256").secret()),
                networks(key.setting("networks")),
                Set.copyOf(key.setting("methods").texts(NetworkConfigReader.METHOD)),
                key.setting("cache-bypass").flag(),
                rate(key.block("rate")),
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

    private static RateConfig rate(Block rate) {
        long callsPerSecond = rate.setting("calls-per-second").number(0L, MAX_RATE);
        long burst = rate.setting("burst").number(0L, MAX_RATE);
        boolean weighted = rate.setting("weighted").flag();
        rate.end();
        return new RateConfig(callsPerSecond, burst == 0 ? callsPerSecond : burst, weighted);
    }
}
