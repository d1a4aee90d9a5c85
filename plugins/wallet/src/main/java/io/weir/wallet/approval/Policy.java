package io.weir.wallet.approval;

import java.util.List;

/** The rule for a tenant's requests. Immutable. */
sealed interface Policy {

    /** A person decides. */
    record Ask() implements Policy {}

    /** Nothing is approved. */
    record Deny() implements Policy {}

    /** The first rule that matches a request says who approves; a person decides on all others. */
    record Allow(List<Rule> rules) implements Policy {
        public Allow {
            rules = List.copyOf(rules);
        }

        /** Returns the number of persons that the strictest rule needs, and one at least. */
        int mostApprovals() {
            return rules.stream().mapToInt(Rule::approvals).reduce(1, Math::max);
        }
    }
}
