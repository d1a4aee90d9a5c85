package io.weir.wallet.approval;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.weir.l2.Felt;
import io.weir.wallet.approval.Rule.Calls;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads one rule of a tenant. Confined to one thread. */
final class RuleReader {

    static final int MAX_APPROVALS = 2;

    /** The members by which a rule names calls: a message has none of them. */
    private static final List<String> OF_CALLS = List.of(
            "amounts", "contracts", "functions", "max-fee", "max-fee-fri", "max-fee-per-day", "max-fee-per-day-fri");

    /** The members of a rule that is the only one of its tenant. */
    static final Set<String> NAMES = new TreeSet<>(OF_CALLS);

    private static final Set<String> LISTED_NAMES;
    private static final Set<String> AMOUNT_NAMES =
            new TreeSet<>(Set.of("decimals", "per-call", "per-day", "recipients"));
    private static final String EVERY = "*";

    /** Of the token in which fees are paid: 10^18 fri are one. */
    private static final int FEE_DECIMALS = 18;

    private static final int MAX_DECIMALS = 36;

    static {
        NAMES.addAll(Set.of("messages", "networks"));
        LISTED_NAMES = new TreeSet<>(NAMES);
        LISTED_NAMES.addAll(Set.of("approvals", "name"));
    }

    private final BlockReader block;
    private final int approvals;
    private final @Nullable String title;

    private RuleReader(BlockReader block, int approvals, @Nullable String title) {
        this.block = block;
        this.approvals = approvals;
        this.title = title;
    }

    /** Returns the one rule of a tenant, which approves. */
    static Rule only(BlockReader block) {
        return new RuleReader(block, 0, null).rule();
    }

    /**
     * Returns a rule of a list.
     *
     * @param number its place in the list, which is its name if it has none of its own
     */
    static Rule listed(BlockReader block, int number) {
        block.allow(LISTED_NAMES);
        if (!block.has("approvals")) {
            block.problem("approvals", "missing (expected: 0, 1 or 2)");
        }
        int approvals = block.number("approvals", MAX_APPROVALS, MAX_APPROVALS);
        String title = block.has("name") ? block.text("name") : String.valueOf(number);
        if (!title.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            block.problem("name", "not a name (expected: up to 64 letters, digits or . _ -)");
        }
        return new RuleReader(block, approvals, title).rule();
    }

    /** Without a person, nothing may be left open. */
    private boolean required() {
        return approvals == 0;
    }

    private Rule rule() {
        Set<String> contracts = texts("contracts");
        Set<String> functions = texts("functions");
        Calls calls = new Calls(
                contracts == null || contracts.contains(EVERY) ? null : block.addresses("contracts", contracts, EVERY),
                contracts == null,
                functions == null || functions.contains(EVERY) ? null : functions,
                amounts());
        if (contracts != null && contracts.contains(EVERY)) {
            block.addresses("contracts", contracts, EVERY);
        }
        boolean everything = !required() && OF_CALLS.stream().noneMatch(block::has);
        return new Rule(
                title,
                approvals,
                calls,
                fee("max-fee"),
                fee("max-fee-per-day"),
                block.flag("messages", everything),
                block.has("networks") ? block.texts("networks") : null);
    }

    private @Nullable Set<String> texts(String name) {
        return required() || block.has(name) ? block.texts(name) : null;
    }

    private @Nullable BigInteger fee(String name) {
        String smallest = name + "-fri";
        if (block.has(name)) {
            if (block.has(smallest)) {
                block.problem(name, "beside " + smallest + " (expected: one of the two)");
            }
            return block.amount(name, FEE_DECIMALS);
        }
        return required() || block.has(smallest) ? block.amount(smallest, 0) : null;
    }

    private Map<Felt, AmountRule> amounts() {
        Map<Felt, AmountRule> rules = new HashMap<>();
        if (!block.has("amounts")) {
            return rules;
        }
        if (!(block.block().getValue("amounts") instanceof ConfigObject tokens)) {
            block.problem("amounts", "not a block (expected: { \"0x…\" { per-call, per-day, recipients } })");
            return rules;
        }
        for (Map.Entry<String, ConfigValue> token : tokens.entrySet()) {
            String name = "amounts." + ConfigUtil.quoteString(token.getKey());
            Felt address = address(token.getKey());
            if (address == null || !(token.getValue() instanceof ConfigObject rule)) {
                block.problem(name, "not understood (expected: a token's address = { per-call, per-day, recipients })");
                continue;
            }
            BlockReader inner = new BlockReader(block.path() + "." + name, rule.toConfig(), block.problems());
            if (rules.put(address, amountRule(inner)) != null) {
                block.problem(name, "a second rule for this token (expected: one)");
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

    private AmountRule amountRule(BlockReader rule) {
        rule.allow(AMOUNT_NAMES);
        int decimals = rule.number("decimals", 0, MAX_DECIMALS);
        return new AmountRule(
                required() || rule.has("per-call") ? rule.amount("per-call", decimals) : null,
                required() || rule.has("per-day") ? rule.amount("per-day", decimals) : null,
                rule.has("recipients") ? rule.addresses("recipients", rule.texts("recipients"), "") : null);
    }
}
