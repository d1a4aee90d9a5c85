package io.weir.wallet.approval;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads {@code approval.tenants}, whose names the host cannot check. Confined to one thread. */
final class PolicyReader {

    private static final Set<String> RULES =
            new TreeSet<>(Set.of("contracts", "functions", "max-fee-fri", "max-fee-per-day-fri", "messages"));
    private static final Set<String> NAMES = new TreeSet<>(RULES);
    private static final String EVERY = "*";
    private static final int MAX_DIGITS = 40;

    static {
        NAMES.add("policy");
    }

    private final List<String> problems;

    PolicyReader(List<String> problems) {
        this.problems = problems;
    }

    /** The policies by tenant. */
    Map<String, Policy> read(ConfigObject tenants) {
        Map<String, Policy> policies = new HashMap<>();
        for (Map.Entry<String, ConfigValue> tenant : tenants.entrySet()) {
            String path = "approval.tenants." + ConfigUtil.quoteString(tenant.getKey());
            if (tenant.getValue() instanceof ConfigObject block) {
                policies.put(tenant.getKey(), policy(path, block.toConfig()));
            } else {
                problems.add(path + ": not a block (expected: { policy = ask, allow or deny … })");
            }
        }
        return policies;
    }

    private Policy policy(String path, Config block) {
        for (String name : block.root().keySet()) {
            if (!NAMES.contains(name)) {
                problems.add(path + "." + ConfigUtil.quoteString(name) + ": unknown (expected: one of "
                        + String.join(", ", NAMES) + ")");
            }
        }
        String policy = block.hasPath("policy") ? text(path, block, "policy") : "";
        if (policy.equals("allow")) {
            return new Policy.Allow(rules(path, block));
        }
        for (String rule : RULES) {
            if (block.hasPath(rule)) {
                problems.add(path + "." + rule + ": of no use (expected: with policy = allow alone)");
            }
        }
        Policy simple = simple(policy);
        if (simple == null) {
            problems.add(path + ".policy: " + policy + " (expected: ask, allow or deny)");
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

    private AllowRules rules(String path, Config block) {
        Set<String> contracts = texts(path, block, "contracts");
        Set<String> functions = texts(path, block, "functions");
        Set<Felt> addresses = new HashSet<>();
        contracts.stream().filter(text -> !text.equals(EVERY)).forEach(text -> {
            try {
                addresses.add(Felt.parseHex(text));
            } catch (IllegalArgumentException e) {
                problems.add(path + ".contracts: " + text + " (expected: 0x and the digits of an address, or *)");
            }
        });
        boolean messages = block.hasPath("messages") && flag(path, block, "messages");
        return new AllowRules(
                contracts.contains(EVERY) ? null : Set.copyOf(addresses),
                functions.contains(EVERY) ? null : functions,
                amount(path, block, "max-fee-fri"),
                amount(path, block, "max-fee-per-day-fri"),
                messages);
    }

    private String text(String path, Config block, String name) {
        try {
            return block.getString(name);
        } catch (ConfigException e) {
            problems.add(path + "." + name + ": not understood (expected: a text)");
            return "";
        }
    }

    private boolean flag(String path, Config block, String name) {
        try {
            return block.getBoolean(name);
        } catch (ConfigException e) {
            problems.add(path + "." + name + ": not understood (expected: true or false)");
            return false;
        }
    }

    private Set<String> texts(String path, Config block, String name) {
        try {
            return Set.copyOf(block.getStringList(name));
        } catch (ConfigException e) {
            problems.add(path + "." + name + ": missing or no list (expected: a list [ … ], [\"*\"] for all)");
            return Set.of();
        }
    }

    /** As text: 10^18 and more has digits that a floating-point number would lose. */
    private BigInteger amount(String path, Config block, String name) {
        String text = block.hasPath(name) ? text(path, block, name) : "nothing";
        if (text.length() <= MAX_DIGITS && text.matches("[0-9]+")) {
            return new BigInteger(text);
        }
        problems.add(path + "." + name + ": " + text
                + " (expected: a whole number of the fee token's smallest unit, in quotes, at most " + MAX_DIGITS
                + " digits)");
        return BigInteger.ZERO;
    }
}
