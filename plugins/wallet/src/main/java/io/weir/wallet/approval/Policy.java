package io.weir.wallet.approval;

/** The rule for a tenant's requests. Immutable. */
sealed interface Policy {

    /** A person decides. */
    record Ask() implements Policy {}

    /** Nothing is approved. */
    record Deny() implements Policy {}

    /** Approves requests within the rules; a person decides on all others. */
    record Allow(AllowRules rules) implements Policy {}
}
