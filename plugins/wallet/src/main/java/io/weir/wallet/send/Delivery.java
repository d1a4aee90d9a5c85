package io.weir.wallet.send;

import io.weir.api.PluginMeters;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives stored transactions to the network and notes what became of them. The same bytes may be given any number of times: the
 * network knows them by their hash. Thread-safe, but of one transaction for one thread at a time; blocks.
 */
public final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final L2Client client;
    private final ChainRestarts restarts;
    private final TransactionTable transactions;
    private final AccountTable accounts;
    private final PluginMeters.Counter sent;
    private final PluginMeters.Counter accepted;
    private final PluginMeters.Counter rejected;

    /** Takes the tables in which it notes results. */
    public Delivery(
            L2Client client,
            ChainRestarts restarts,
            TransactionTable transactions,
            AccountTable accounts,
            PluginMeters meters) {
        this.client = client;
        this.restarts = restarts;
        this.transactions = transactions;
        this.accounts = accounts;
        this.sent = meters.counter("transactions_sent", "How often transactions were given to a network, also again.");
        this.accepted = meters.counter("transactions_accepted", "Transactions that a network has taken.");
        this.rejected = meters.counter("transactions_rejected", "Transactions that a network has refused.");
    }

    /**
     * Gives a transaction to the network. It counts as taken where the network knows its hash afterwards, whatever it answered.
     *
     * @throws RpcException the network's refusal; or, where nobody can tell what became of it, an error that says so: the
     *     transaction stays prepared; or an error where it is not stored as it was read: it is not given
     */
    void give(L2Network network, StoredTransaction transaction) {
        // The chain may have begun again while others of the sender were settled: the beginning alone does not show it
        // any more.
        if (!transactions.markSent(transaction)) {
            throw SnapErrors.failed(
                    "not sent: the chain began again since the transaction was signed, or it has moved on");
        }
        try {
            Felt hash = send(network, transaction);
            if (!hash.equals(transaction.hash())) {
                // Its word on another transaction says nothing of this one.
                LOG.warn(
                        "network {} answered transaction {} with the hash {}",
                        network.name(),
                        transaction.hash(),
                        hash);
                throw SnapErrors.failed("the node answered with the hash of another transaction");
            }
            note(transaction, new NetworkStatus(NetworkStatus.Stage.RECEIVED, null));
        } catch (RpcException e) {
            weigh(network, transaction, e);
        }
    }

    private void weigh(L2Network network, StoredTransaction transaction, RpcException error) {
        if (error.code() == NodeError.ALREADY_IN_MEMPOOL) {
            note(transaction, new NetworkStatus(NetworkStatus.Stage.RECEIVED, null));
            return;
        }
        Optional<NetworkStatus> status;
        try {
            status = client.status(network, transaction.hash());
        } catch (RpcException e) {
            throw SendErrors.unknown(transaction, String.valueOf(error.getMessage()));
        }
        if (status.isPresent()) {
            note(transaction, status.get());
        } else if (NodeError.isRefusal(error)) {
            note(transaction, new NetworkStatus(NetworkStatus.Stage.REJECTED, error.getMessage()));
            throw error;
        } else {
            throw SendErrors.unknown(transaction, String.valueOf(error.getMessage()));
        }
    }

    /**
     * Settles the unknown result of a transaction: asks for its hash. If the network does not know it, sends it again, but not to a
     * chain that began again after it was signed. A refusal settles it too.
     *
     * @throws RpcException where nobody can tell what became of it, or where it is archived
     */
    void settle(L2Network network, StoredTransaction transaction) {
        Optional<NetworkStatus> status = client.status(network, transaction.hash());
        if (status.isPresent()) {
            note(transaction, status.get());
            return;
        }
        if (!restarts.isSame(network) && !restarts.isRecent(transaction)) {
            throw SnapErrors.failed(
                    "network " + network.name() + " names other first blocks than before: it may be another chain,"
                            + " to which the transaction is not given (expected: the same first blocks; ask again in ten minutes)");
        }
        try {
            give(network, transaction);
        } catch (RpcException e) {
            if (!NodeError.isRefusal(e)) {
                throw e;
            }
            LOG.info("transaction {} is refused: {}", transaction.hash(), e.getMessage());
        }
    }

    /**
     * Gives a transaction to the network that was in a block, and that the network does not know any more. One that is refused for
     * its nonce is left where it was: the node that did not know it lags behind. A chain that began again gets none.
     */
    void giveAfterLoss(L2Network network, StoredTransaction transaction) {
        if (transaction.body().isEmpty() || !restarts.isSame(network) || !transactions.markSent(transaction)) {
            return;
        }
        String refusal = "";
        try {
            send(network, transaction);
        } catch (RpcException e) {
            if (e.code() == NodeError.INVALID_NONCE || !NodeError.isRefusal(e)) {
                return;
            }
            refusal = e.code() == NodeError.ALREADY_IN_MEMPOOL ? "" : String.valueOf(e.getMessage());
        }
        transactions.reopen(transaction);
        if (!refusal.isEmpty()) {
            transactions.move(transaction, TransactionState.REJECTED, refusal);
        }
    }

    /** Notes what the network says. */
    void note(StoredTransaction transaction, NetworkStatus status) {
        TransactionState state = TransactionState.valueOf(status.stage().name());
        String reason = status.failureReason() == null ? "" : status.failureReason();
        if (state == transaction.state() && reason.equals(transaction.failureReason())) {
            transactions.touch(transaction);
            return;
        }
        transactions.move(transaction, state, reason);
        if (status.failureReason() != null) {
            accounts.forgetDeployment(transaction.chainId(), transaction.sender(), transaction.hash());
        }
        if (state == TransactionState.ACCEPTED_ON_L2) {
            transactions.endOthersOf(transaction);
        }
        if (state == TransactionState.REJECTED) {
            transactions.restoreReplacedBy(transaction);
            rejected.increment();
        } else if (transaction.state() == TransactionState.PREPARED) {
            accepted.increment();
        }
    }

    private Felt send(L2Network network, StoredTransaction transaction) {
        sent.increment();
        boolean invokes = transaction.type() == TransactionType.INVOKE;
        String method = invokes ? "starknet_addInvokeTransaction" : "starknet_addDeployAccountTransaction";
        String name = invokes ? "invoke_transaction" : "deploy_account_transaction";
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set(name, MAPPER.readTree(transaction.body()));
        return client.send(network, method, params);
    }
}
