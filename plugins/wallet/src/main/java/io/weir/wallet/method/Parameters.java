package io.weir.wallet.method;

import io.weir.wallet.request.Requests;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names of the parameters of each method. Thread-safe. */
final class Parameters {
    private static final String CHAIN_ID = "chainId";
    private static final Set<String> WITH_APPROVAL =
            Set.of("createAccount", "displayPrivateKey", "sendTransaction", "signMessage", "upgradeAccContract");

    private static final Map<String, List<String>> OWN = Map.ofEntries(
            Map.entry("createAccount", List.of("addressIndex", "deploy")),
            Map.entry("displayPrivateKey", List.of("userAddress", "address")),
            Map.entry("estimateAccountDeployFee", List.of("addressIndex")),
            Map.entry(
                    "estimateFee",
                    List.of(
                            "contractAddress",
                            "contractFuncName",
                            "contractCallData",
                            CallsReader.CALLS,
                            "senderAddress")),
            Map.entry("extractPublicKey", List.of("userAddress")),
            Map.entry("getErc20TokenBalance", List.of("tokenAddress", "userAddress")),
            Map.entry("getRequest", List.of(Requests.REQUEST_ID)),
            Map.entry("getStoredUserAccounts", List.of()),
            Map.entry(
                    "getTransactions",
                    List.of(
                            "senderAddress",
                            "contractAddress",
                            "pageSize",
                            "cursor",
                            "txnsInLastNumOfDays",
                            "withDeployTxn",
                            "onlyFromState")),
            Map.entry("getTransactionStatus", List.of("transactionHash", "details")),
            Map.entry("getValue", List.of("contractAddress", "contractFuncName", "contractCallData")),
            Map.entry("recoverAccounts", List.of("startScanIndex", "maxScanned", "maxMissed")),
            Map.entry(
                    "sendTransaction",
                    List.of(
                            "contractAddress",
                            "contractFuncName",
                            "contractCallData",
                            CallsReader.CALLS,
                            "senderAddress",
                            "maxFee")),
            Map.entry("signMessage", List.of("typedDataMessage", "signerAddress")),
            Map.entry("upgradeAccContract", List.of("contractAddress", "maxFee")),
            Map.entry("verifyMessage", List.of("typedDataMessage", "signerAddress", "signature")));

    private static final Set<String> OF_CHAIN = Set.of(
            "createAccount",
            "estimateAccountDeployFee",
            "estimateFee",
            "getRequest",
            "getStoredUserAccounts",
            "getTransactions",
            "getTransactionStatus",
            "recoverAccounts",
            "sendTransaction",
            "upgradeAccContract");

    private Parameters() {}

    /** Returns the names of all methods. */
    static Set<String> methods() {
        return OWN.keySet();
    }

    /** Whether a method's answer depends on what is stored of the chain. */
    static boolean isOfChain(String method) {
        return OF_CHAIN.contains(method);
    }

    /** Returns the names of a method's parameters. */
    static Set<String> of(String method) {
        Set<String> names = new HashSet<>(OWN.getOrDefault(method, List.of()));
        names.add(CHAIN_ID);
        if (WITH_APPROVAL.contains(method)) {
            names.add(Requests.REQUEST_ID);
            names.add(Requests.DETACHED);
        }
        return names;
    }
}
