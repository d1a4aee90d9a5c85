package io.weir.wallet.approval;

/** What becomes of a tenant's requests. Immutable. */
sealed interface Policy {

    /** A person decides. */
    record Ask() implements Policy {}

    /** Nothing is approved. */
    record Deny() implements Policy {}

    /** What is within the rules is approved; on everything else a person decides. */
    record Allow(AllowRules rules) implements Policy {}
}
