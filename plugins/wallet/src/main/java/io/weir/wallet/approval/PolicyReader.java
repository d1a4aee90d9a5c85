package io.weir.wallet.approval;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads {@code approval.tenants}, whose names the host cannot check. Confined to one thread. */
final class PolicyReader {

    private static final String WITHOUT_CHAIN = "messages-without-chain";
    private static final String LIST = "rules";
    private static final Set<String> NAMES = new TreeSet<>(RuleReader.NAMES);
    private static final int MAX_RULES = 100;

    static {
        NAMES.addAll(Set.of("policy", LIST, WITHOUT_CHAIN));
    }

    private final List<String> problems;
    private final Set<String> withoutChain = new HashSet<>();

    PolicyReader(List<String> problems) {
        this.problems = problems;
    }

    /** The policies by tenant. */
    Map<String, Policy> read(ConfigObject tenants) {
        Map<String, Policy> policies = new HashMap<>();
        for (Map.Entry<String, ConfigValue> tenant : tenants.entrySet()) {
            String path = path(tenant.getKey());
            if (tenant.getValue() instanceof ConfigObject object) {
                BlockReader block = new BlockReader(path, object.toConfig(), problems);
                if (block.flag(WITHOUT_CHAIN, false)) {
                    withoutChain.add(tenant.getKey());
                }
                policies.put(tenant.getKey(), policy(block));
            } else {
                problems.add(path + ": not a block (expected: { policy = ask, allow or deny … })");
            }
        }
        return policies;
    }

    /** Returns the path of a tenant's block. */
    static String path(String tenant) {
        return "approval.tenants." + ConfigUtil.quoteString(tenant);
    }

    /** The tenants whose messages need not name a chain, of those that were read. */
    Set<String> withoutChain() {
        return Set.copyOf(withoutChain);
    }

    private Policy policy(BlockReader block) {
        block.allow(NAMES);
        String policy = block.has("policy") ? block.text("policy") : block.has(LIST) ? "allow" : "";
        boolean allows = policy.equals("allow");
        if (allows && !block.has(LIST)) {
            return new Policy.Allow(List.of(RuleReader.only(block)));
        }
        for (String member : RuleReader.NAMES) {
            if (block.has(member)) {
                block.problem(
                        member,
                        "of no use (expected: " + (allows ? "inside the rules)" : "with policy = allow alone)"));
            }
        }
        if (allows) {
            return new Policy.Allow(rules(block));
        }
        if (block.has(LIST)) {
            block.problem(LIST, "of no use (expected: with policy = allow alone)");
        }
        Policy simple = simple(policy);
        if (simple == null) {
            block.problem("policy", policy + " (expected: ask, allow or deny)");
            return new Policy.Deny();
        }
        return simple;
    }

    /** The policy that needs no rules, or null where there is none of this name. */
    static @Nullable Policy simple(String name) {
        return switch (name) {
            case "ask" -> new Policy.Ask();
            case "deny" -> new Policy.Deny();
            default -> null;
        };
    }

    private List<Rule> rules(BlockReader block) {
        List<Rule> rules = new ArrayList<>();
        if (!(block.block().getValue(LIST) instanceof ConfigList list)
                || list.isEmpty()
                || list.size() > MAX_RULES
                || !list.stream().allMatch(one -> one instanceof ConfigObject)) {
            block.problem(LIST, "not understood (expected: a list of 1 to " + MAX_RULES + " blocks [ { … }, { … } ])");
            return rules;
        }
        Set<String> titles = new HashSet<>();
        for (ConfigValue value : list) {
            int number = rules.size() + 1;
            // A list has no names: the lines say the place in it.
            BlockReader one = new BlockReader(
                    block.path() + "." + LIST + "." + number, ((ConfigObject) value).toConfig(), problems);
            Rule rule = RuleReader.listed(one, number);
            if (!titles.add(String.valueOf(rule.title()))) {
                one.problem("name", rule.title() + " (expected: a name that no other rule of the tenant has)");
            }
            rules.add(rule);
        }
        return rules;
    }
}
