package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.L2Client;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Estimates the cost of transactions. Thread-safe; blocks. */
public final class FeeEstimator {
    private final L2Client client;
    private final TransactionSigner signer;
    private final int marginPercent;

    /**
     * Estimates by a client of the network.
     *
     * @param marginPercent added to an estimate if the caller names no maximum
     */
    public FeeEstimator(L2Client client, TransactionSigner signer, int marginPercent) {
        this.client = client;
        this.signer = signer;
        this.marginPercent = marginPercent;
    }

    /** Returns the margin added to an estimate, in percent. */
    public int marginPercent() {
        return marginPercent;
    }

    /**
     * Returns the cost of the deployment of an account.
     *
     * @throws RpcException when the network refuses to estimate it
     */
    public Quote deployment(WalletAccount account) {
        Draft draft = Draft.deployment(account);
        List<FeeEstimate> estimates = client.estimate(account.network(), List.of(signer.query(draft, 0)));
        return Quote.of(List.of(draft), estimates, BigInteger.ZERO, marginPercent);
    }

    /**
     * Returns the cost of a call, with the deployment before it if the account does not exist yet.
     *
     * @param maxFee what all may cost at most; 0 for the estimate with the margin
     * @throws RpcException when the network refuses to estimate it, or when the maximum is below the estimate
     */
    public Quote invocation(Draft draft, boolean deployed, BigInteger maxFee) {
        WalletAccount account = draft.account();
        Draft deployment = Draft.deployment(account);
        List<Draft> drafts = deployed ? List.of(draft) : List.of(deployment, draft);
        long nonce = deployed ? client.confirmedNonce(account.network(), account.address()) : 1;
        List<ObjectNode> queries = deployed
                ? List.of(signer.query(draft, nonce))
                : List.of(signer.query(deployment, 0), signer.query(draft, nonce));
        List<FeeEstimate> estimates = client.estimate(account.network(), queries);
        try {
            return Quote.of(drafts, estimates, maxFee, marginPercent);
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, String.valueOf(e.getMessage()));
        }
    }
}
