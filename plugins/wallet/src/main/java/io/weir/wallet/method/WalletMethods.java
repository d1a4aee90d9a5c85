package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.request.RequestMemory;
import io.weir.wallet.request.Requests;
import io.weir.wallet.send.FeeEstimator;
import io.weir.wallet.send.HistoryCompletion;
import io.weir.wallet.send.Sending;
import io.weir.wallet.send.StatusPoller;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.snap.SnapErrors;
import io.weir.wallet.snap.SnapMethod;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.TransactionTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/** The table of the wallet's methods, by their names without a prefix. Thread-safe. */
public final class WalletMethods {
    private WalletMethods() {}

    /** The parts that know accounts. Immutable. */
    public record Ownership(Accounts accounts, AccountTable table, AccountKinds kinds, TenantKeys keys) {}

    /** The parts that send transactions and know their results. Immutable. */
    public record Traffic(
            FeeEstimator fees,
            Sending sending,
            StatusPoller poller,
            TransactionTable transactions,
            HistoryTable history,
            RequestMemory requests) {}

    /**
     * The bounds of the methods. Immutable.
     *
     * @param afterApproval the time that a call is given once it is approved
     * @param feeToken the token in which fees are paid
     */
    public record Bounds(Duration afterApproval, Felt feeToken) {}

    /** All methods. */
    public static Map<String, SnapMethod.Named> table(
            L2Client client,
            Ownership ownership,
            Traffic traffic,
            Approvals approvals,
            Bounds bounds,
            InstantSource clock) {
        Requests requests = new Requests(approvals, traffic.requests(), bounds.afterApproval(), clock);
        Consent consent = new Consent(approvals, requests, bounds.afterApproval());
        AccountState state = new AccountState(client, ownership.kinds());
        Accounts accounts = ownership.accounts();
        CallDescriber describer = new CallDescriber(client);

        AccountMethods list = new AccountMethods(accounts, ownership.table(), ownership.kinds(), state);
        CreationMethods creation = new CreationMethods(
                accounts, ownership.table(), client, traffic.fees(), traffic.sending(), consent, describer);
        SendMethods send = new SendMethods(
                accounts, ownership.kinds(), state, traffic.fees(), traffic.sending(), consent, describer);
        ReadMethods read = new ReadMethods(client);
        HistoryMethods history = new HistoryMethods(
                traffic.transactions(),
                traffic.history(),
                client,
                traffic.poller(),
                new HistoryCompletion(client, traffic.history(), bounds.feeToken()),
                clock);
        MessageMethods messages =
                new MessageMethods(accounts, ownership.keys(), state, consent, new SignatureLimit(clock));
        KeyDisplay display = new KeyDisplay(accounts, ownership.keys(), consent);

        Map<String, SnapMethod> table = new HashMap<>();
        table.put("createAccount", creation::createAccount);
        table.put("displayPrivateKey", display::displayPrivateKey);
        table.put("estimateAccountDeployFee", creation::estimateAccountDeployFee);
        table.put("estimateFee", send::estimateFee);
        table.put("extractPublicKey", list::extractPublicKey);
        table.put("getErc20TokenBalance", read::getErc20TokenBalance);
        table.put("getRequest", new RequestMethods(traffic.requests())::getRequest);
        table.put("getStoredUserAccounts", list::getStoredUserAccounts);
        table.put("getTransactions", history::getTransactions);
        table.put("getTransactionStatus", history::getTransactionStatus);
        table.put("getValue", read::getValue);
        table.put("recoverAccounts", list::recoverAccounts);
        table.put("sendTransaction", send::sendTransaction);
        table.put("signMessage", messages::signMessage);
        table.put("upgradeAccContract", send::upgradeAccContract);
        table.put("verifyMessage", messages::verifyMessage);
        Map<String, SnapMethod.Named> named = new HashMap<>();
        table.forEach((name, method) ->
                named.put(name, new SnapMethod.Named(method, Parameters.of(name), Parameters.isOfChain(name))));
        return Map.copyOf(named);
    }

    /** {@code getRequest}: the state of a request by the id that its caller gave it. Thread-safe; blocks. */
    private record RequestMethods(RequestMemory memory) {

        CompletionStage<JsonNode> getRequest(SnapCall call) {
            String id = call.arguments().text(Requests.REQUEST_ID);
            return TransactionJson.answer(memory.shown(call.tenant(), id)
                    .orElseThrow(() -> SnapErrors.invalidParams(Arguments.path(Requests.REQUEST_ID)
                            + ": unknown (expected: the id of a request of this key)")));
        }
    }

    /** {@code displayPrivateKey}: the caller gets nothing; the key goes to whoever approves. Thread-safe; blocks. */
    private record KeyDisplay(Accounts accounts, TenantKeys keys, Consent consent) {

        CompletionStage<JsonNode> displayPrivateKey(SnapCall call) {
            Arguments arguments = call.arguments();
            String name = !arguments.has("userAddress") && arguments.has("address") ? "address" : "userAddress";
            Felt address = arguments.address(name);
            WalletAccount account = accounts.require(call.tenant(), call.network(), address, Arguments.path(name));
            ApprovalRequest wanted = ApprovalRequest.ofKey(call.origin(), address);
            return consent.request(
                    call, request -> consent.reveal(call, request, wanted, () -> keys.privateKey(account)));
        }
    }
}
