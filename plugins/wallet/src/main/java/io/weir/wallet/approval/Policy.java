package io.weir.wallet.approval;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who decides on a tenant's requests. Immutable.
 *
 * @param word null if the rules alone say it
 * @param listed rules as written; empty if the tenant's own block is the only one
 */
record Policy(
        @About("Who decides: `ask` a person, `allow` within the rules below, or `deny`. With `rules` it is `allow`.")
        @Setting(path = "policy")
        @Nullable
        Word word,

        @About(
                "Rules in place of the settings below, 1 to 100. The first that matches a request says how many persons approve it.")
        @Setting(path = "rules")
        List<Rule> listed,

        @About("Whether messages are signed whose domain names no chain. Such a signature is good on every chain.")
        @Setting("false")
        boolean messagesWithoutChain,

        @Setting(path = ".") Bounds bounds)
        implements Checked {

    private static final String POLICY = "policy";
    private static final String RULES = "rules";
    private static final int MAX_RULES = 100;

    /** The word for a policy. */
    enum Word {
        ASK,
        ALLOW,
        DENY
    }

    /** Returns the policy of tenants that are not named. */
    static Policy of(Word word) {
        return new Policy(word, List.of(), false, new Bounds(null, null, null, null, null, null, null, null, Map.of()));
    }

    @Override
    public void check(Block block) {
        bounds.check(block);
        boolean hasRules = !block.look(RULES).isNull();
        if (!hasRules) {
            block.look(POLICY).require("one of ask, allow, deny");
        }
        boolean allows = word == Word.ALLOW || (word == null && hasRules);
        if (hasRules && !allows) {
            block.look(RULES).wrong("nothing: rules go with policy = allow");
        } else if (hasRules) {
            checkRules(block);
        }
        if (allows && !hasRules) {
            bounds.requireAll(block);
            return;
        }
        String rule = allows ? "nothing: it goes inside the rules" : "nothing: it goes with policy = allow";
        // The default of amounts is an empty block.
        Bounds.NAMES.stream()
                .map(block::look)
                .filter(setting -> setting.isBlock() ? !bounds.amounts().isEmpty() : !setting.isNull())
                .forEach(setting -> setting.wrong(rule));
    }

    private void checkRules(Block block) {
        if (block.look(RULES).asText().equals("[]") || listed.size() > MAX_RULES) {
            block.look(RULES).wrong("a list of 1 to " + MAX_RULES + " blocks [ { … }, { … } ]");
        }
        Set<String> titles = new HashSet<>();
        for (Rule rule : titled()) {
            if (!titles.add(String.valueOf(rule.title()))) {
                block.look(RULES).wrong("another name for each rule: " + rule.title() + " is there twice");
            }
        }
    }

    private List<Rule> titled() {
        return IntStream.range(0, listed.size())
                .mapToObj(i -> listed.get(i).titled(String.valueOf(i + 1)))
                .toList();
    }

    /** Returns whether nothing is approved. */
    boolean denies() {
        return word == Word.DENY;
    }

    /** Returns whether a person decides on everything. */
    boolean asks() {
        return word == Word.ASK;
    }

    /** Returns the rules, of which the first that matches a request says who approves it; a person decides on all others. */
    List<Rule> rules() {
        return word == Word.ALLOW && listed.isEmpty() ? List.of(new Rule(null, 0, bounds)) : titled();
    }

    /** Returns the number of persons that the strictest rule needs, and one at least. */
    int mostApprovals() {
        return rules().stream().mapToInt(Rule::approvals).reduce(1, Math::max);
    }
}
