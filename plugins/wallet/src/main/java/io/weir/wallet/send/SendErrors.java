package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.StoredTransaction;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The errors of sending. Each names the transaction that it means: {@code transaction_hash} is the caller's own, and any other has
 * a name of its own. Thread-safe.
 */
public final class SendErrors {
    /** The caller's own transaction. */
    public static final String OWN = "transaction_hash";

    private static final String EARLIER = "earlier_transaction_hash";
    private static final String DEPLOYMENT = "deployment_transaction_hash";

    private SendErrors() {}

    /** Nobody knows what became of the caller's transaction. */
    public static RpcException unknown(StoredTransaction transaction, String reason) {
        return error(
                "it is not known whether the network has taken the transaction; the wallet gives it the same one again",
                OWN,
                transaction,
                reason);
    }

    /** An earlier transaction of the account must be settled first; the caller's was not signed. */
    static RpcException earlier(StoredTransaction earlier, String reason) {
        return error(
                "not signed and not sent: it is not known yet whether the network has taken an earlier transaction of the"
                        + " account (expected: ask again once that one is settled)",
                EARLIER,
                earlier,
                reason);
    }

    /** A transaction that was refused is on the network after all; the caller's was not signed. */
    static RpcException takenAfterAll(StoredTransaction earlier) {
        return error(
                "not signed and not sent: the network has an earlier transaction of the account that it had refused"
                        + " (expected: look at that one, then ask again)",
                EARLIER,
                earlier,
                "it was refused");
    }

    /** Nobody knows what became of the deployment of the caller's account; his transaction was not signed. */
    static RpcException deployment(StoredTransaction deployment, String reason) {
        return error(
                "not signed and not sent: it is not known yet whether the network has taken the deployment of the account"
                        + " (expected: ask again once it is settled)",
                DEPLOYMENT,
                deployment,
                reason);
    }

    private static RpcException error(String message, String name, StoredTransaction transaction, String reason) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put(name, transaction.hash().toPaddedHex());
        data.put("reason", reason);
        return new RpcException(SnapErrors.FAILED, message, data);
    }

    /** Whether an error says that nobody knows what became of the caller's own transaction. */
    public static boolean isUnknown(RpcException error) {
        return error.code() == SnapErrors.FAILED
                && error.data() != null
                && error.data().has(OWN);
    }
}
