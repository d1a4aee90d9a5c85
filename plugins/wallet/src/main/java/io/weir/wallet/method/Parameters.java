package io.weir.wallet.method;

import io.weir.wallet.request.Requests;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names of the parameters of each method. Thread-safe. */
final class Parameters {
    private static final String CHAIN_ID = "chainId";
    private static final String OF_CALLS =
            "senderAddress contractAddress contractFuncName contractCallData " + SendMethods.CallsReader.CALLS;

    private static final Map<String, Named> OWN = new HashMap<>();

    /**
     * The parameters of a method. Immutable.
     *
     * @param ofChain whether its answer depends on what is stored of the chain
     * @param approved whether it needs approval
     */
    private record Named(boolean ofChain, boolean approved, List<String> names) {}

    static {
        put("createAccount", true, true, "addressIndex deploy");
        put("displayPrivateKey", false, true, "userAddress address");
        put("estimateAccountDeployFee", true, false, "addressIndex");
        put("estimateFee", true, false, OF_CALLS);
        put("extractPublicKey", false, false, "userAddress");
        put("getErc20TokenBalance", false, false, "tokenAddress userAddress");
        put("getRequest", true, false, Requests.REQUEST_ID);
        put("getStoredUserAccounts", true, false, "");
        put(
                "getTransactions",
                true,
                false,
                "senderAddress contractAddress pageSize cursor txnsInLastNumOfDays withDeployTxn onlyFromState");
        put("getTransactionStatus", true, false, "transactionHash details");
        put("getValue", false, false, "contractAddress contractFuncName contractCallData");
        put("recoverAccounts", true, false, "startScanIndex maxScanned maxMissed");
        put("sendTransaction", true, true, OF_CALLS + " maxFee");
        put("signMessage", false, true, "typedDataMessage signerAddress");
        put("upgradeAccContract", true, true, "contractAddress maxFee");
        put("verifyMessage", false, false, "typedDataMessage signerAddress signature");
    }

    private Parameters() {}

    private static void put(String method, boolean ofChain, boolean approved, String names) {
        OWN.put(method, new Named(ofChain, approved, names.isEmpty() ? List.of() : List.of(names.split(" "))));
    }

    /** Returns the names of all methods. */
    static Set<String> methods() {
        return Set.copyOf(OWN.keySet());
    }

    /** Whether a method's answer depends on what is stored of the chain. */
    static boolean isOfChain(String method) {
        return named(method).ofChain();
    }

    /** Returns the names of a method's parameters. */
    static Set<String> of(String method) {
        Set<String> names = new HashSet<>(named(method).names());
        names.add(CHAIN_ID);
        if (named(method).approved()) {
            names.add(Requests.REQUEST_ID);
            names.add(Requests.DETACHED);
        }
        return names;
    }

    private static Named named(String method) {
        return OWN.getOrDefault(method, new Named(false, false, List.of()));
    }
}
