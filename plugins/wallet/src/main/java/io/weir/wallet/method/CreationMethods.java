package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.request.Request;
import io.weir.wallet.request.Requests;
import io.weir.wallet.send.FeeEstimator;
import io.weir.wallet.send.Quote;
import io.weir.wallet.send.Sending;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.snap.SnapErrors;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredAccount;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code createAccount} and {@code estimateAccountDeployFee}. Thread-safe; blocks. */
record CreationMethods(
        Accounts accounts,
        AccountTable table,
        L2Client client,
        FeeEstimator fees,
        Sending sending,
        Requests requests,
        CallDescriber describer) {
    private static final String INDEX = "addressIndex";

    CompletionStage<JsonNode> createAccount(SnapCall call) {
        boolean deploy = call.arguments().flag("deploy");
        WalletAccount account = account(call);
        table.remember(account.asked());
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("address", account.address().toPaddedHex());
        if (!deploy) {
            return TransactionJson.answer(answer);
        }
        return requests.run(call, request -> deploy(call, request, account, answer));
    }

    private CompletionStage<JsonNode> deploy(SnapCall call, Request request, WalletAccount account, ObjectNode answer) {
        checkNotDeployed(account);
        Optional<Felt> underWay = deploymentUnderWay(account);
        if (underWay.isPresent()) {
            answer.put("transaction_hash", underWay.get().toPaddedHex());
            return TransactionJson.answer(answer);
        }
        Quote quote = fees.deployment(account);
        ApprovalRequest wanted = ApprovalRequest.ofTransaction(
                call.origin(), account.address(), describer.describe(quote.drafts()), quote.maxFee());
        return requests.ask(
                call,
                request,
                wanted,
                () -> sending.send(quote, request.id()).thenApply(hash -> {
                    answer.put("transaction_hash", hash.toPaddedHex());
                    return answer;
                }));
    }

    CompletionStage<JsonNode> estimateAccountDeployFee(SnapCall call) {
        WalletAccount account = account(call);
        checkNotDeployed(account);
        return TransactionJson.answer(SendMethods.FeeJson.of(fees.deployment(account), fees.marginPercent()));
    }

    private WalletAccount account(SnapCall call) {
        int index = call.arguments().has(INDEX)
                ? call.arguments().integer(INDEX, 0, 0, Integer.MAX_VALUE)
                : accounts.nextIndex(call.tenant(), call.network());
        return accounts.at(call.tenant(), call.network(), index);
    }

    private void checkNotDeployed(WalletAccount account) {
        if (client.classHashAt(account.network(), account.address()).isPresent()) {
            throw SnapErrors.alreadyDeployed("the account " + account.address().toPaddedHex() + " is deployed already");
        }
    }

    private Optional<Felt> deploymentUnderWay(WalletAccount account) {
        return table.find(account.tenant(), account.network().chainId(), account.address())
                .map(StoredAccount::deployHash)
                .filter(hash ->
                        !hash.isZero() && client.status(account.network(), hash).isPresent());
    }
}
