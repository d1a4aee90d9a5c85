package io.weir.method.catalogue;

import io.weir.method.MethodPattern;
import java.util.List;

/** The methods that no catalogue lists, by what their names say that they change. Pure. */
public final class UnlistedMethods {

    /** With these, development nodes change their chain by hand. */
    private static final List<String> CHANGES =
            List.of("anvil_*", "evm_*", "ganache_*", "hardhat_*", "tenderly_*", "testing_*", "debug_setHead");

    /** These only add blocks, or replace blocks as a reorganisation does. */
    private static final List<String> NEW_BLOCKS =
            List.of("anvil_mine*", "anvil_reorg", "engine_createBlock", "evm_mine*", "hardhat_mine");

    /** These have the names of development nodes and only read. Gateways serve some of them on public chains. */
    private static final List<String> READS = List.of(
            "anvil_dump*",
            "anvil_get*",
            "anvil_metadata",
            "anvil_nodeInfo",
            "evm_snapshot",
            "hardhat_get*",
            "hardhat_metadata",
            "tenderly_decode*",
            "tenderly_estimate*",
            "tenderly_gasPrice",
            "tenderly_get*",
            "tenderly_simulate*",
            "tenderly_suggest*",
            "tenderly_trace*");

    private UnlistedMethods() {}

    /** Returns whether the method sends a transaction, such as {@code eth_sendBundle}. */
    public static boolean isWrite(String method) {
        return method.contains("_send");
    }

    /** Returns whether the method may add, replace or remove blocks, or change their content. */
    public static boolean mayChangeChain(String method) {
        return MethodPattern.anyMatches(NEW_BLOCKS, method) || mayReplaceState(method);
    }

    /** Returns whether the method may change the content of existing blocks, or take the chain back. */
    public static boolean mayReplaceState(String method) {
        return MethodPattern.anyMatches(CHANGES, method)
                && !MethodPattern.anyMatches(NEW_BLOCKS, method)
                && !MethodPattern.anyMatches(READS, method);
    }
}
