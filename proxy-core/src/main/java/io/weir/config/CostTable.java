package io.weir.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Form;
import io.weir.api.setting.SettingValue;
import io.weir.api.setting.TextRule;
import io.weir.config.BudgetConfig.Costs;
import io.weir.hocon.HoconDocument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table of costs: a block, which may include a file, or the name of a provider whose costs the program brings. */
final class CostTable implements Form<Costs> {

    private static final long MAX_COST = 1_000_000_000;

    /** The providers whose costs the program brings, from {@code conf/costs}. */
    static final List<String> PROVIDERS = List.of("alchemy", "ankr", "chainstack", "drpc", "infura", "quicknode");

    private static final TextRule RULE = new TextRule(
            PROVIDERS::contains,
            "one of " + String.join(", ", PROVIDERS) + ", or a block such as { default = 20, eth_call = 26 }");

    private static final String DEFAULT = "default";
    private static final String NOTIFICATION = "notification";
    private static final String PER_SECOND = "per-second";

    /** Names in a table of costs that are no methods. */
    private static final Set<String> OTHER = Set.of(DEFAULT, NOTIFICATION, PER_SECOND);

    @Override
    public Costs read(Binder binder, Block block, String name) {
        SettingValue named = block.setting(name);
        Block table;
        if (named.isBlock()) {
            table = block.block(name);
        } else {
            String provider = named.textOrNull(RULE);
            table = block.inPlaceOf(
                    name, provider == null ? ConfigFactory.empty().root() : provided(provider));
        }
        MethodCosts costs = costs(table, MethodCosts.CALLS);
        SettingValue notification = table.setting(NOTIFICATION);
        Block second = table.block(PER_SECOND);
        Costs read = new Costs(
                costs, costs(second, costs), notification.isNull() ? costs.base() : notification.number(0L, MAX_COST));
        second.end();
        table.end();
        return read;
    }

    @Override
    public String rule() {
        return RULE.rule();
    }

    /** Returns the costs in a block, over others. */
    static MethodCosts costs(Block block, MethodCosts under) {
        Map<String, Long> methods = new HashMap<>(under.methods());
        Map<String, Long> prefixes = new HashMap<>(under.prefixes());
        block.settings().forEach((name, setting) -> {
            if (OTHER.contains(name)) {
                return;
            }
            if (!Forms.METHODS.test().test(name)) {
                setting.wrongName(Forms.METHODS.rule() + ", in quotes if it has a * or a dot");
            } else if (name.endsWith("*")) {
                prefixes.put(name.substring(0, name.length() - 1), setting.number(0L, MAX_COST));
            } else {
                methods.put(name, setting.number(0L, MAX_COST));
            }
        });
        SettingValue base = block.setting(DEFAULT);
        return new MethodCosts(
                base.isNull() ? under.base() : base.number(0L, MAX_COST), Map.copyOf(methods), Map.copyOf(prefixes));
    }

    static ConfigObject provided(String provider) {
        return HoconDocument.resource(CostTable.class, "/costs/" + provider + ".conf");
    }
}
