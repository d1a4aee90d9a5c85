package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.send.SenderQueues.Sender;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends approved transactions: one of a sender at a time, with nonces that follow one another. Thread-safe. */
public record Sending(
        L2Client client,
        TransactionSigner signer,
        TransactionTable transactions,
        AccountTable accounts,
        AuditLog audit,
        Delivery delivery,
        SenderQueues queues,
        DeploymentWatch watch) {

    private Nonces nonces() {
        return new Nonces(client, transactions, delivery);
    }

    /**
     * Sends what a quote is for. The stage gives the hash of the last transaction once the network has taken it, or fails with an
     * {@link RpcException}. Each transaction is signed once at most: what is refused afterwards needs a new approval.
     *
     * @param approval the id of the approval
     */
    public CompletionStage<Felt> send(Quote quote, String approval) {
        WalletAccount account = quote.drafts().get(0).account();
        Sender sender = new Sender(account.network().chainId(), account.address());
        return queues.run(sender, () -> sendNow(quote, approval));
    }

    private CompletionStage<Felt> sendNow(Quote quote, String approval) {
        Draft first = quote.drafts().get(0);
        nonces().settlePrepared(first.account());
        if (first.type() == TransactionType.DEPLOY_ACCOUNT
                && !quote.includesDeployment()
                && isDeployed(first.account())) {
            return CompletableFuture.completedStage(deploymentOf(first.account()));
        }
        if (first.type() == TransactionType.INVOKE
                && client.classHashAt(first.account().network(), first.account().address())
                        .isEmpty()) {
            return watch.untilDeployed(first.account())
                    .thenApply(deployed -> sendOne(first, quote.bounds().get(0), new Approval(approval, 0)));
        }
        if (!quote.includesDeployment()) {
            return CompletableFuture.completedStage(
                    sendOne(first, quote.bounds().get(0), new Approval(approval, 0)));
        }
        if (!isDeployed(first.account())) {
            deployFirst(first, quote.bounds().get(0), new Approval(approval, 0));
        }
        return watch.untilDeployed(first.account())
                .thenApply(deployed ->
                        sendOne(quote.drafts().get(1), quote.bounds().get(1), new Approval(approval, 1)));
    }

    /** The caller asked for another transaction: an error must not give him the deployment's hash as his own. */
    private void deployFirst(Draft deployment, ResourceBounds bounds, Approval approval) {
        try {
            sendOne(deployment, bounds, approval);
        } catch (RpcException e) {
            throw SendErrors.isUnknown(e)
                    ? transactions
                            .ofApproval(approval.id(), approval.part())
                            .map(sent -> SendErrors.deployment(sent, String.valueOf(e.getMessage())))
                            .orElse(e)
                    : e;
        }
    }

    /**
     * Signs and sends a transaction with the nonce of another, which can then never be carried out. The stage gives its hash once
     * the network has taken it.
     */
    public CompletionStage<Felt> replace(
            StoredTransaction replaced, Draft draft, ResourceBounds bounds, String approval) {
        Sender sender = new Sender(replaced.chainId(), replaced.sender());
        return queues.run(sender, () -> {
            StoredTransaction transaction = signer.prepare(draft, replaced.nonce(), bounds, new Approval(approval, 0));
            audit.signed(transaction);
            transactions.prepareInPlaceOf(replaced, transaction);
            delivery.give(draft.account().network(), transaction);
            return CompletableFuture.completedStage(transaction.hash());
        });
    }

    /** How far the deployment of an account has come that is in no block yet. */
    public FeeEstimator.Deployment deployment(WalletAccount account) {
        return nonces().isActive(account) ? FeeEstimator.Deployment.UNDER_WAY : FeeEstimator.Deployment.NEEDED;
    }

    /** Two calls may ask for the same deployment: both get the one that there is. */
    private Felt deploymentOf(WalletAccount account) {
        return accounts.deployment(account.tenant(), account.network().chainId(), account.address())
                .orElseThrow(() ->
                        SnapErrors.failed("the account " + account.address().toPaddedHex() + " is deployed already"));
    }

    /** Whether the account is on the chain, or on its way there. */
    private boolean isDeployed(WalletAccount account) {
        return nonces().isActive(account)
                || client.classHashAt(account.network(), account.address()).isPresent();
    }

    private Felt sendOne(Draft draft, ResourceBounds bounds, Approval approval) {
        boolean deploys = draft.type() == TransactionType.DEPLOY_ACCOUNT;
        long nonce = deploys ? 0 : nonces().next(draft.account());
        StoredTransaction transaction = signer.prepare(draft, nonce, bounds, approval);
        audit.signed(transaction);
        if (deploys) {
            transactions.prepareDeployment(transaction, draft.account().deployedBy(transaction.hash()));
        } else {
            transactions.prepare(transaction);
        }
        delivery.give(draft.account().network(), transaction);
        return transaction.hash();
    }
}
