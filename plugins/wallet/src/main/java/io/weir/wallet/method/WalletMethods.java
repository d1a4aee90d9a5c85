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
        CreationMethods creation = new CreationMethods(accounts, table, client, fees, sending, requests, describer);
        SendMethods send = new SendMethods(accounts, kinds, state, fees, sending, requests, describer);
        ReadMethods read = new ReadMethods(client);
        HistoryMethods past = new HistoryMethods(
                transactions, history, client, poller, new HistoryCompletion(client, history, feeToken), clock);
        MessageMethods messages = new MessageMethods(accounts, keys, state, requests, describer, clock);

        Map<String, SnapMethod> methods = new HashMap<>();
        methods.put("createAccount", creation::createAccount);
        methods.put("displayPrivateKey", messages::displayPrivateKey);
        methods.put("estimateAccountDeployFee", creation::estimateAccountDeployFee);
        methods.put("estimateFee", send::estimateFee);
        methods.put("extractPublicKey", list::extractPublicKey);
        methods.put("getErc20TokenBalance", read::getErc20TokenBalance);
        methods.put("getRequest", memory::getRequest);
        methods.put("getStoredUserAccounts", list::getStoredUserAccounts);
        methods.put("getTransactions", past::getTransactions);
        methods.put("getTransactionStatus", past::getTransactionStatus);
        methods.put("getValue", read::getValue);
        methods.put("recoverAccounts", list::recoverAccounts);
        methods.put("sendTransaction", send::sendTransaction);
        methods.put("signMessage", messages::signMessage);
        methods.put("upgradeAccContract", send::upgradeAccContract);
        methods.put("verifyMessage", messages::verifyMessage);
        Map<String, SnapMethod.Named> named = new HashMap<>();
        methods.forEach((name, method) ->
                named.put(name, new SnapMethod.Named(method, Parameters.of(name), Parameters.isOfChain(name))));
        return Map.copyOf(named);
    }
}
