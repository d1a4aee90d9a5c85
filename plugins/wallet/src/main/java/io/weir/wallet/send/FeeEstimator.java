package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.L2Client;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Estimates the cost of transactions. Thread-safe; blocks.
 *
 * @param marginPercent added to an estimate if the caller names no maximum
 */
public record FeeEstimator(L2Client client, TransactionSigner signer, int marginPercent) {
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

    /** How far the deployment of an account has come. */
    public enum Deployment {
        /** The account exists. */
        DONE,
        /** It is on its way: a call is estimated behind it, and costs only its own. */
        UNDER_WAY,
        /** It must be sent before the call. */
        NEEDED
    }

    /**
     * Returns the cost of a call, with the deployment before it if the account has none yet.
     *
     * @param maxFee what all may cost at most; 0 for the estimate with the margin
     * @throws RpcException when the network refuses to estimate it, or when the maximum is below the estimate
     */
    public Quote invocation(Draft draft, Deployment deployment, BigInteger maxFee) {
        WalletAccount account = draft.account();
        Draft deploying = Draft.deployment(account);
        boolean deployed = deployment == Deployment.DONE;
        long nonce = deployed ? client.confirmedNonce(account.network(), account.address()) : 1;
        List<ObjectNode> queries = deployed
                ? List.of(signer.query(draft, nonce))
                : List.of(signer.query(deploying, 0), signer.query(draft, nonce));
        List<FeeEstimate> estimates = client.estimate(account.network(), queries);
        boolean both = deployment == Deployment.NEEDED;
        List<Draft> drafts = both ? List.of(deploying, draft) : List.of(draft);
        List<FeeEstimate> counted = both ? estimates : estimates.subList(estimates.size() - 1, estimates.size());
        try {
            return Quote.of(drafts, counted, maxFee, marginPercent);
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, String.valueOf(e.getMessage()));
        }
    }
}
