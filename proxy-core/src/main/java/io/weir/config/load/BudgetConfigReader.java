package io.weir.config.load;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.weir.config.BudgetConfig;
import io.weir.config.MethodCosts;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reader of an upstream's {@code budget}. Its {@code costs} are a block, which may include a file, or the name of a provider whose
 * costs the program brings. Stateless.
 */
final class BudgetConfigReader {

    /** The providers whose costs the program brings, from {@code conf/costs}. */
    static final List<String> PROVIDERS = List.of("alchemy", "ankr", "chainstack", "drpc", "infura", "quicknode");

    private static final TextRule COSTS = new TextRule(
            PROVIDERS::contains,
            "one of " + String.join(", ", PROVIDERS) + ", or a block such as { default = 20, eth_call = 26 }");
    private static final long MAX_COST = 1_000_000_000;
    private static final String DEFAULT = "default";
    private static final String NOTIFICATION = "notification";
    private static final String PER_SECOND = "per-second";

    /** Names in a table of costs that are no methods. */
    private static final Set<String> OTHER = Set.of(DEFAULT, NOTIFICATION, PER_SECOND);

    private BudgetConfigReader() {}

    static BudgetConfig read(Block budget) {
        Block table = table(budget);
        MethodCosts costs = costs(table, MethodCosts.CALLS);
        Setting notification = table.setting(NOTIFICATION);
        Block second = table.block(PER_SECOND);
        BudgetConfig config = new BudgetConfig(
                budget.setting(PER_SECOND).number(0L, MAX_COST),
                budget.setting("per-day").number(0L, 1_000_000_000_000_000L),
                costs,
                costs(second, costs),
                notification.isNull() ? costs.base() : notification.number(0L, MAX_COST));
        second.end();
        table.end();
        budget.end();
        return config;
    }

    private static Block table(Block budget) {
        Setting costs = budget.setting("costs");
        if (costs.isBlock()) {
            return budget.block("costs");
        }
        String provider = costs.textOrNull(COSTS);
        return budget.inPlaceOf(
                "costs", provider == null ? ConfigFactory.empty().root() : provided(provider));
    }

    /** Returns the costs in a block, over others. */
    static MethodCosts costs(Block block, MethodCosts under) {
        Map<String, Long> methods = new HashMap<>(under.methods());
        Map<String, Long> prefixes = new HashMap<>(under.prefixes());
        block.settings().forEach((name, setting) -> {
            if (OTHER.contains(name)) {
                return;
            }
            if (!NetworkConfigReader.METHOD.test().test(name)) {
                setting.wrongName(NetworkConfigReader.METHOD.rule() + ", in quotes if it has a * or a dot");
            } else if (name.endsWith("*")) {
                prefixes.put(name.substring(0, name.length() - 1), setting.number(0L, MAX_COST));
            } else {
                methods.put(name, setting.number(0L, MAX_COST));
            }
        });
        Setting base = block.setting(DEFAULT);
        return new MethodCosts(
                base.isNull() ? under.base() : base.number(0L, MAX_COST), Map.copyOf(methods), Map.copyOf(prefixes));
    }

    /** Returns the costs of a provider that the program brings. */
    static ConfigObject provided(String provider) {
        String file = "/costs/" + provider + ".conf";
        ConfigParseOptions options =
                ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setOriginDescription(file);
        try (InputStream in = Objects.requireNonNull(BudgetConfigReader.class.getResourceAsStream(file), file)) {
            return ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8), options)
                    .root();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
