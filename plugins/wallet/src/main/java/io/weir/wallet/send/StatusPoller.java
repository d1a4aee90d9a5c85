package io.weir.wallet.send;

import io.weir.api.PluginMeters;
import io.weir.api.RpcException;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.send.SenderQueues.Sender;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows transactions until they are settled. Asks the network for their status, and sends those again that it does not know.
 * Calls no network that has no unsettled transaction. One round at a time; blocks.
 */
public final class StatusPoller {
    /** For this long a network may not know a transaction that it has taken: longer than its nodes take to tell each other. */
    static final Duration RESEND_AFTER = Duration.ofMinutes(1);

    /** The usual number of transactions of one round. */
    public static final int BATCH = 100;

    private static final Logger LOG = LoggerFactory.getLogger(StatusPoller.class);

    private final L2Client client;
    private final L2Networks networks;
    private final ChainRestarts restarts;
    private final TransactionTable transactions;
    private final Delivery delivery;
    private final SenderQueues queues;
    private final int batch;
    private final AtomicLong unsettled = new AtomicLong();
    /** Senders whose transactions are being given again; as many at most as there are unsettled ones in a round. */
    private final Set<Sender> busy = ConcurrentHashMap.newKeySet();

    /**
     * Takes what it looks with.
     *
     * @param batch the number of transactions of one round, so that it ends soon also if nodes answer slowly
     */
    public StatusPoller(
            L2Client client,
            L2Networks networks,
            ChainRestarts restarts,
            TransactionTable transactions,
            Delivery delivery,
            SenderQueues queues,
            PluginMeters meters,
            int batch) {
        this.client = client;
        this.networks = networks;
        this.restarts = restarts;
        this.transactions = transactions;
        this.delivery = delivery;
        this.queues = queues;
        this.batch = batch;
        meters.gauge(
                "transactions_unsettled", "Transactions that are not settled, as of the last look.", unsettled::get);
    }

    /** One round. */
    public void poll() {
        transactions.unsettled(batch).stream()
                .map(StoredTransaction::chainId)
                .distinct()
                .forEach(chain -> networks.ofChain(chain).ifPresent(restarts::check));
        for (StoredTransaction transaction : transactions.unsettled(batch)) {
            Optional<L2Network> network = networks.ofChain(transaction.chainId());
            if (network.isEmpty()) {
                transactions.touch(transaction);
                continue;
            }
            try {
                refresh(network.get(), transaction);
            } catch (RpcException e) {
                LOG.debug("transaction {} cannot be looked up: {}", transaction.hash(), e.getMessage());
                transactions.touch(transaction);
            }
        }
        unsettled.set(transactions.countUnsettled());
    }

    /**
     * Asks the network for one transaction and notes the answer.
     *
     * @throws RpcException when it cannot be asked
     */
    public void refresh(L2Network network, StoredTransaction transaction) {
        if (transaction.state() == TransactionState.PREPARED && !transactions.isReplaced(transaction)) {
            giveAgain(network, transaction);
            return;
        }
        Optional<NetworkStatus> status = client.status(network, transaction.hash());
        if (status.isPresent()) {
            delivery.note(transaction, status.get());
        } else if (transactions.isReplaced(transaction)
                || transaction.state().isSettled()
                || transactions.wasSentWithin(transaction, RESEND_AFTER)) {
            transactions.touch(transaction);
        } else {
            giveAgain(network, transaction);
        }
    }

    /** Notes what the network said of a transaction. */
    public void note(StoredTransaction transaction, NetworkStatus status) {
        delivery.note(transaction, status);
    }

    /** Behind whatever the sender is doing, which may well settle it. */
    private void giveAgain(L2Network network, StoredTransaction transaction) {
        transactions.touch(transaction);
        Sender sender = new Sender(transaction.chainId(), transaction.sender());
        if (!busy.add(sender)) {
            return;
        }
        try {
            queues.run(sender, () -> {
                        settleAll(network, transaction);
                        return CompletableFuture.completedStage(true);
                    })
                    .whenComplete((done, failure) -> {
                        busy.remove(sender);
                        if (failure != null) {
                            LOG.info("transaction {} is not settled yet: {}", transaction.hash(), failure.getMessage());
                        }
                    });
        } catch (RpcException e) {
            busy.remove(sender);
        }
    }

    private void settleAll(L2Network network, StoredTransaction transaction) {
        for (StoredTransaction prepared : transactions.prepared(transaction.chainId(), transaction.sender())) {
            delivery.settle(network, prepared);
        }
        // It may have been replaced while it waited.
        if (transaction.state() != TransactionState.PREPARED && !transactions.isReplaced(transaction)) {
            delivery.settle(network, transaction);
        }
    }
}
