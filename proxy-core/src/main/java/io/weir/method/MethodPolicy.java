package io.weir.method;

import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.UnknownMethods;
import java.util.List;
import java.util.Set;

/**
 * The rules that decide which methods a network serves. Deny beats allow. Methods that control a node, use its keys or show its
 * internals are denied unless the network allows them. Immutable and thread-safe.
 */
public record MethodPolicy(MethodRules rules) {

    /** The patterns of methods that are denied unless a network allows them. */
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
            "txpool_*",
            "account_*",
            "signer_*",
            "clique_*",
            "ibft_*",
            "qbft_*",
            "perm_*",
            "parity_*",
            "eth_signTypedData*",
            "eth_resend",
            "hardhat_*",
            "anvil_*",
            "evm_*",
            "dev_*",
            "les_*",
            "db_*",
            "shh_*",
            "bee_*");

    /**
     * The methods of OpenEthereum's namespace that only read. The others change the node, use its keys, or show its accounts
     * or logs.
     */
    static final Set<String> PARITY_READS = Set.of(
            "parity_allTransactionHashes",
            "parity_allTransactions",
            "parity_call",
            "parity_chain",
            "parity_chainStatus",
            "parity_cidV0",
            "parity_consensusCapability",
            "parity_defaultExtraData",
            "parity_enode",
            "parity_extraData",
            "parity_futureTransactions",
            "parity_gasCeilTarget",
            "parity_gasFloorTarget",
            "parity_gasPriceHistogram",
            "parity_getBlockHeaderByNumber",
            "parity_getBlockReceipts",
            "parity_getLogsNoTransactionHash",
            "parity_getRawBlockByNumber",
            "parity_listAccounts",
            "parity_listStorageKeys",
            "parity_localTransactions",
            "parity_minGasPrice",
            "parity_mode",
            "parity_netChain",
            "parity_netPeers",
            "parity_netPort",
            "parity_nextNonce",
            "parity_nodeKind",
            "parity_nodeName",
            "parity_nodeStatus",
            "parity_pendingTransactions",
            "parity_pendingTransactionsStats",
            "parity_registryAddress",
            "parity_releasesInfo",
            "parity_rpcSettings",
            "parity_transactionsLimit",
            "parity_verifySignature",
            "parity_versionInfo",
            "parity_wsUrl");

    /**
     * Returns whether the network serves the method. Denials ignore upper and lower case, because some nodes do.
     *
     * @param known whether the catalogue or a plugin lists the method
     */
    public boolean serves(String method, boolean known) {
        if (!known && !isPlain(method)) {
            return false;
        }
        if (MethodPattern.anyMatchesInAnyCase(rules.deny(), method)) {
            return false;
        }
        if (MethodPattern.anyMatches(rules.allow(), method)) {
            return true;
        }
        if (MethodPattern.anyMatchesInAnyCase(DENIED_UNLESS_ALLOWED, method) && !PARITY_READS.contains(method)) {
            return false;
        }
        return known || (rules.unknown() == UnknownMethods.PASS && !MethodPattern.isOfWallet(method));
    }

    /**
     * Returns whether the name consists of visible ASCII characters. No method has another name, and a node that trims or folds such a
     * name would execute a method that was not compared with the rules.
     */
    private static boolean isPlain(String method) {
        for (int i = 0; i < method.length(); i++) {
            char c = method.charAt(i);
            if (c <= ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }
}
