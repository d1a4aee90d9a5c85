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

    private static final Set<String> RULES = new TreeSet<>(
            Set.of("amounts", "contracts", "functions", "max-fee-fri", "max-fee-per-day-fri", "messages", "networks"));
    private static final String WITHOUT_CHAIN = "messages-without-chain";
    private static final Set<String> NAMES = new TreeSet<>(RULES);
    private static final Set<String> AMOUNT_NAMES = new TreeSet<>(Set.of("per-call", "per-day", "recipients"));
    private static final String EVERY = "*";
    private static final int MAX_DIGITS = 40;

    static {
        NAMES.add("policy");
        NAMES.add(WITHOUT_CHAIN);
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
            if (tenant.getValue() instanceof ConfigObject block) {
                if (block.containsKey(WITHOUT_CHAIN) && flag(path, block.toConfig(), WITHOUT_CHAIN)) {
                    withoutChain.add(tenant.getKey());
                }
                policies.put(tenant.getKey(), policy(path, block.toConfig()));
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
                messages,
                block.hasPath("networks") ? texts(path, block, "networks") : null,
                amounts(path, block));
    }

    private Map<Felt, AmountRule> amounts(String path, Config block) {
        Map<Felt, AmountRule> rules = new HashMap<>();
        if (!block.hasPath("amounts")) {
            return rules;
        }
        for (Map.Entry<String, ConfigValue> token : block.getObject("amounts").entrySet()) {
            String own = path + ".amounts." + ConfigUtil.quoteString(token.getKey());
            Felt address = address(token.getKey());
            if (address == null || !(token.getValue() instanceof ConfigObject rule)) {
                problems.add(
                        own + ": not understood (expected: a token's address = { per-call, per-day, recipients })");
            } else if (rules.put(address, amountRule(own, rule.toConfig())) != null) {
                problems.add(own + ": a second rule for this token (expected: one)");
            }
        }
        return rules;
    }

    private static @Nullable Felt address(String text) {
        try {
            return Felt.parseHex(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private AmountRule amountRule(String path, Config rule) {
        for (String name : rule.root().keySet()) {
            if (!AMOUNT_NAMES.contains(name)) {
                problems.add(path + "." + ConfigUtil.quoteString(name) + ": unknown (expected: one of "
                        + String.join(", ", AMOUNT_NAMES) + ")");
            }
        }
        Set<Felt> recipients = null;
        if (rule.hasPath("recipients")) {
            recipients = new HashSet<>();
            for (String text : texts(path, rule, "recipients")) {
                try {
                    recipients.add(Felt.parseHex(text));
                } catch (IllegalArgumentException e) {
                    problems.add(path + ".recipients: " + text + " (expected: 0x and the digits of an address)");
                }
            }
        }
        return new AmountRule(amount(path, rule, "per-call"), amount(path, rule, "per-day"), recipients);
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
