package io.weir.method;

import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.UnknownMethods;
import java.util.List;

/**
 * Which methods a network serves. Deny beats allow; methods that command a node, use its keys or show its insides are denied
 * unless allowed. Immutable and thread-safe.
 */
public final class MethodPolicy {

    /** What is denied unless a network allows it. */
    public static final List<String> DENIED_UNLESS_ALLOWED = List.of(
            "admin_*",
            "debug_*",
            "engine_*",
            "miner_*",
            "personal_*",
            "eth_sendTransaction",
            "eth_sign",
            "eth_signTransaction",
            "eth_accounts",
            "eth_coinbase",
            "testing_*",
            "txpool_*");

    private final MethodRules rules;

    public MethodPolicy(MethodRules rules) {
        this.rules = rules;
    }

    /**
     * Whether the network serves the method.
     *
     * @param known whether the catalogue or a plugin knows it
     */
    public boolean serves(String method, boolean known) {
        if (MethodPattern.anyMatches(rules.deny(), method)) {
            return false;
        }
        if (MethodPattern.anyMatches(rules.allow(), method)) {
            return true;
        }
        if (MethodPattern.anyMatches(DENIED_UNLESS_ALLOWED, method)) {
            return false;
        }
        return known || rules.unknown() == UnknownMethods.PASS;
    }
}
