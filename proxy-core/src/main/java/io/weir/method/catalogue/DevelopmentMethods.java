package io.weir.method.catalogue;

import io.weir.method.MethodPattern;
import java.util.List;
import java.util.Set;

/** The methods with which development nodes change their chain by hand. No catalogue lists them. Pure. */
public final class DevelopmentMethods {

    private static final List<String> CHANGES =
            List.of("anvil_*", "evm_*", "ganache_*", "hardhat_*", "tenderly_*", "testing_*", "debug_setHead");

    /** These only add blocks, or replace blocks as a reorganisation does. */
    private static final Set<String> HARMLESS =
            Set.of("anvil_mine", "anvil_reorg", "evm_mine", "evm_snapshot", "hardhat_mine");

    private DevelopmentMethods() {}

    /** Returns whether the method may change the content of existing blocks, or take the chain back. */
    public static boolean mayReplaceState(String method) {
        return MethodPattern.anyMatches(CHANGES, method) && !HARMLESS.contains(method);
    }
}
