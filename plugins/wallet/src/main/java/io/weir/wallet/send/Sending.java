package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.send.SenderQueues.Sender;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredAccount;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends approved transactions: one of a sender at a time, with nonces that follow one another. Thread-safe. */
public final class Sending {
    /** How long a node may lag behind another that has a block already. */
    private static final Duration LAG = Duration.ofMinutes(10);

    private static final int ALREADY_DEPLOYED = -32000;

    private final L2Client client;
    private final TransactionSigner signer;
    private final TransactionTable transactions;
    private final AccountTable accounts;
    private final Delivery delivery;
    private final SenderQueues queues;
    private final DeploymentWatch watch;

    /** Takes what carries transactions. */
    public Sending(Parts parts, Delivery delivery, SenderQueues queues, DeploymentWatch watch) {
        this.client = parts.client();
        this.signer = parts.signer();
        this.transactions = parts.transactions();
        this.accounts = parts.accounts();
        this.delivery = delivery;
        this.queues = queues;
        this.watch = watch;
    }

    /** The parts that make and store transactions. Immutable. */
    public record Parts(
            L2Client client, TransactionSigner signer, TransactionTable transactions, AccountTable accounts) {}

    /**
     * Sends what a quote is for. The stage gives the hash of the last transaction once the network has taken it, or fails with an
     * {@link RpcException}.
     */
    public CompletionStage<Felt> send(Quote quote) {
        WalletAccount account = quote.drafts().get(0).account();
        Sender sender = new Sender(account.network().chainId(), account.address());
        return queues.run(sender, () -> sendNow(quote));
    }

    private CompletionStage<Felt> sendNow(Quote quote) {
        Draft first = quote.drafts().get(0);
        settlePrepared(first.account());
        if (first.type() == TransactionType.DEPLOY_ACCOUNT
                && !quote.includesDeployment()
                && isDeployed(first.account())) {
            return CompletableFuture.completedStage(deploymentOf(first.account()));
        }
        if (!quote.includesDeployment()) {
            return CompletableFuture.completedStage(
                    sendOne(first, quote.bounds().get(0)));
        }
        if (!isDeployed(first.account())) {
            sendOne(first, quote.bounds().get(0));
        }
        return watch.untilDeployed(first.account())
                .thenApply(deployed ->
                        sendOne(quote.drafts().get(1), quote.bounds().get(1)));
    }

    /** Two calls may ask for the same deployment: both get the one that there is. */
    private Felt deploymentOf(WalletAccount account) {
        return accounts.find(account.tenant(), account.network().chainId(), account.address())
                .map(StoredAccount::deployHash)
                .filter(hash -> !hash.isZero())
                .orElseThrow(() -> new RpcException(
                        ALREADY_DEPLOYED, "the account " + account.address().toPaddedHex() + " is deployed already"));
    }

    /** Whether the account is on the chain, or on its way there. */
    private boolean isDeployed(WalletAccount account) {
        return transactions
                        .highestNonce(account.network().chainId(), account.address(), LAG)
                        .isPresent()
                || client.classHashAt(account.network(), account.address()).isPresent();
    }

    /** A transaction whose fate is not known has a nonce that no other may get until it is. */
    private void settlePrepared(WalletAccount account) {
        L2Network network = account.network();
        for (StoredTransaction prepared : transactions.prepared(network.chainId(), account.address())) {
            try {
                delivery.settle(network, prepared);
            } catch (RpcException e) {
                if (!NodeError.isRefusal(e)) {
                    throw e;
                }
            }
        }
    }

    private Felt sendOne(Draft draft, ResourceBounds bounds) {
        long nonce = nextNonce(draft, LAG);
        try {
            return sendWith(draft, bounds, nonce);
        } catch (RpcException e) {
            long other = e.code() == NodeError.INVALID_NONCE ? nextNonce(draft, Duration.ZERO) : nonce;
            if (other == nonce) {
                throw e;
            }
            return sendWith(draft, bounds, other);
        }
    }

    private Felt sendWith(Draft draft, ResourceBounds bounds, long nonce) {
        StoredTransaction transaction = signer.prepare(draft, nonce, bounds);
        if (draft.type() == TransactionType.DEPLOY_ACCOUNT) {
            transactions.prepareDeployment(transaction, draft.account().deployedBy(transaction.hash()));
        } else {
            transactions.prepare(transaction);
        }
        delivery.give(draft.account().network(), transaction);
        return transaction.hash();
    }

    private long nextNonce(Draft draft, Duration lag) {
        if (draft.type() == TransactionType.DEPLOY_ACCOUNT) {
            return 0;
        }
        WalletAccount account = draft.account();
        long ofNetwork = client.nonce(account.network(), account.address());
        long ofWallet = transactions
                        .highestNonce(account.network().chainId(), account.address(), lag)
                        .orElse(-1)
                + 1;
        return Math.max(ofNetwork, ofWallet);
    }
}
