package io.weir.verify;

import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;

/**
 * Rules by which the answers of one network are verified. Immutable.
 *
 * @param family decides what is hashed, and how
 * @param names the members that may occur in answers called verified
 */
public record ChainRules(ChainFamily family, MemberNames names) {

    /** The rules of Ethereum. */
    public static final ChainRules ETHEREUM = new ChainRules(ChainFamily.ETHEREUM, MemberNames.ETHEREUM);

    /** Returns whether a chain is known to belong to another family than Ethereum's, but has its rules. */
    public boolean isOfOtherFamily(String chainId) {
        return family == ChainFamily.ETHEREUM && ChainFamily.ofKnown(chainId) != family;
    }

    /** Returns the rules that a network's settings ask for. */
    public static ChainRules of(NetworkConfig config) {
        ChainFamily family = config.hashing() == Hashing.NONE ? ChainFamily.NONE : ChainFamily.of(config.family());
        return new ChainRules(family, MemberNames.of(family, config.chainId(), config.verifyMembers()));
    }
}
