package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.L2Client;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Says what transactions cost. Thread-safe; blocks. */
public final class FeeDesk {
    private final L2Client client;
    private final TransactionSigner signer;
    private final int marginPercent;

    /**
     * Takes what it asks with.
     *
     * @param marginPercent what is added to an estimate where the caller names no maximum
     */
    public FeeDesk(L2Client client, TransactionSigner signer, int marginPercent) {
        this.client = client;
        this.signer = signer;
        this.marginPercent = marginPercent;
    }

    /** What is added to an estimate, in percent. */
    public int marginPercent() {
        return marginPercent;
    }

    /**
     * What the deployment of an account costs.
     *
     * @throws RpcException when the network refuses to estimate it
     */
    public Quote deployment(WalletAccount account) {
        Draft draft = Draft.deployment(account);
        List<FeeEstimate> estimates = client.estimate(account.network(), List.of(signer.query(draft, 0)));
        return Quote.of(List.of(draft), estimates, BigInteger.ZERO, marginPercent);
    }

    /**
     * What a call costs; with the deployment before it where the account is not there yet.
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
