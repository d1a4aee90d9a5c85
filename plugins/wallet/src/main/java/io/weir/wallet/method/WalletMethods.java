package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.request.RequestMemory;
import io.weir.wallet.request.Requests;
import io.weir.wallet.send.FeeEstimator;
import io.weir.wallet.send.HistoryCompletion;
import io.weir.wallet.send.Sending;
import io.weir.wallet.send.StatusPoller;
import io.weir.wallet.snap.SnapMethod;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.TransactionTable;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The table of the wallet's methods, by their names without a prefix. Thread-safe. */
public record WalletMethods(
        L2Client client,
        Accounts accounts,
        AccountTable table,
        AccountKinds kinds,
        TenantKeys keys,
        FeeEstimator fees,
        Sending sending,
        StatusPoller poller,
        TransactionTable transactions,
        HistoryTable history,
        Requests requests,
        RequestMemory memory,
        Felt feeToken,
        InstantSource clock) {

    /** Returns all methods. */
    public Map<String, SnapMethod.Named> all() {
        AccountState state = new AccountState(client, kinds);
        CallDescriber describer = new CallDescriber(client);

        AccountMethods list = new AccountMethods(accounts, table, kinds, state);
        SendMethods send = new SendMethods(accounts, table, state, fees, sending, requests, describer);
        ReadMethods read = new ReadMethods(client);
        HistoryMethods past = new HistoryMethods(
                transactions, history, client, poller, new HistoryCompletion(client, history, feeToken), clock);
        MessageMethods messages = new MessageMethods(accounts, keys, state, requests, describer, clock);

        String[] calls = {"senderAddress", "contractAddress", "contractFuncName", "contractCallData", "calls"};
        Map<String, SnapMethod.Named> methods = new HashMap<>();
        methods.put("createAccount", approved(send::createAccount, true, "addressIndex", "deploy"));
        methods.put("displayPrivateKey", approved(messages::displayPrivateKey, false, "userAddress", "address"));
        methods.put("estimateAccountDeployFee", named(send::estimateAccountDeployFee, true, "addressIndex"));
        methods.put("estimateFee", named(send::estimateFee, true, calls));
        methods.put("extractPublicKey", named(list::extractPublicKey, false, "userAddress"));
        methods.put("getErc20TokenBalance", named(read::getErc20TokenBalance, false, "tokenAddress", "userAddress"));
        methods.put("getRequest", named(memory::getRequest, true, Requests.REQUEST_ID));
        methods.put("getStoredUserAccounts", named(list::getStoredUserAccounts, true));
        methods.put(
                "getTransactions",
                named(
                        past::getTransactions,
                        true,
                        "senderAddress",
                        "contractAddress",
                        "pageSize",
                        "cursor",
                        "txnsInLastNumOfDays",
                        "withDeployTxn",
                        "onlyFromState"));
        methods.put("getTransactionStatus", named(past::getTransactionStatus, true, "transactionHash", "details"));
        methods.put(
                "getValue", named(read::getValue, false, "contractAddress", "contractFuncName", "contractCallData"));
        methods.put("recoverAccounts", named(list::recoverAccounts, true, "startScanIndex", "maxScanned", "maxMissed"));
        methods.put("sendTransaction", approved(send::sendTransaction, true, with("maxFee", calls)));
        methods.put("signMessage", approved(messages::signMessage, false, "typedDataMessage", "signerAddress"));
        methods.put("upgradeAccContract", approved(send::upgradeAccContract, true, "contractAddress", "maxFee"));
        methods.put(
                "verifyMessage",
                named(messages::verifyMessage, false, "typedDataMessage", "signerAddress", "signature"));
        return Map.copyOf(methods);
    }

    /** @param ofChain whether its answer depends on what is stored of the chain */
    private static SnapMethod.Named named(SnapMethod method, boolean ofChain, String... parameters) {
        return new SnapMethod.Named(method, Set.of(with("chainId", parameters)), ofChain);
    }

    /** A method that needs approval. */
    private static SnapMethod.Named approved(SnapMethod method, boolean ofChain, String... parameters) {
        return named(method, ofChain, with(Requests.REQUEST_ID, with(Requests.DETACHED, parameters)));
    }

    private static String[] with(String one, String... others) {
        return Stream.concat(Stream.of(one), Stream.of(others)).toArray(String[]::new);
    }
}
