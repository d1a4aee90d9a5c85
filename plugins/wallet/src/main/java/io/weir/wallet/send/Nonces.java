package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nonces of senders. A sender's next transaction gets the lowest nonce that neither the network has used nor a transaction of
 * this wallet holds, so that a gap is filled by whatever comes next. Thread-safe, but of one sender for one thread at a time;
 * blocks.
 */
record Nonces(L2Client client, TransactionTable transactions, Delivery delivery) {
    private static final Logger LOG = LoggerFactory.getLogger(Nonces.class);

    /** How long a node may lag behind another that has a block already. */
    private static final Duration LAG = Duration.ofMinutes(10);

    /** A transaction that was looked at within this time is not asked for again before the next one is signed. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    /** Whether an account has a transaction on its way, or in a recent block. */
    boolean isActive(WalletAccount account) {
        return transactions.isActive(account.network().chainId(), account.address(), LAG);
    }

    /**
     * Settles the transactions of unknown outcome: no other transaction of the sender may be signed before.
     *
     * @throws RpcException when one cannot be settled now; it names that one
     */
    void settlePrepared(WalletAccount account) {
        L2Network network = account.network();
        for (StoredTransaction prepared : transactions.prepared(network.chainId(), account.address())) {
            try {
                delivery.settle(network, prepared);
            } catch (RpcException e) {
                if (transactions.prepared(network.chainId(), account.address()).contains(prepared)) {
                    throw SendErrors.earlier(prepared, String.valueOf(e.getMessage()));
                }
                LOG.info("transaction {} is not in doubt any more: {}", prepared.hash(), e.getMessage());
            }
        }
    }

    /**
     * Returns the nonce of the next transaction. Gives transactions below it to the network again that it lost.
     *
     * @throws RpcException when the network cannot be asked, or when it has a transaction that it had refused
     */
    long next(WalletAccount account) {
        L2Network network = account.network();
        Felt sender = account.address();
        long nonce = client.nonce(network, sender);
        checkRefused(network, sender, nonce);
        Set<Long> held = new HashSet<>();
        for (StoredTransaction holder : transactions.holding(network.chainId(), sender, nonce, LAG)) {
            if (isLost(network, holder)) {
                giveAgain(network, holder);
            }
        }
        transactions.holding(network.chainId(), sender, nonce, LAG).forEach(holder -> held.add(holder.nonce()));
        while (held.contains(nonce)) {
            nonce++;
        }
        return nonce;
    }

    /** A node may have refused a transaction and kept it: then its nonce is used, by a payment that its caller believes failed. */
    private void checkRefused(L2Network network, Felt sender, long nonce) {
        for (StoredTransaction refused : transactions.refusedBelow(network.chainId(), sender, nonce, LAG)) {
            Optional<NetworkStatus> status = client.status(network, refused.hash());
            if (status.isPresent() && status.get().stage() != NetworkStatus.Stage.REJECTED) {
                delivery.note(refused, status.get());
                throw SendErrors.takenAfterAll(refused);
            }
            transactions.forgetRefused(refused);
        }
    }

    private boolean isLost(L2Network network, StoredTransaction holder) {
        if (holder.state() == TransactionState.PREPARED
                || transactions.isReplaced(holder)
                || transactions.wasLookedAtWithin(holder, FRESH)) {
            return false;
        }
        Optional<NetworkStatus> status = client.status(network, holder.hash());
        status.ifPresent(known -> delivery.note(holder, known));
        return status.isEmpty();
    }

    private void giveAgain(L2Network network, StoredTransaction lost) {
        if (lost.state() == TransactionState.ACCEPTED_ON_L2) {
            delivery.giveAfterLoss(network, lost);
            return;
        }
        try {
            delivery.settle(network, lost);
        } catch (RpcException e) {
            // It holds its nonce and is given again later.
            LOG.info("transaction {} was lost and is not taken again: {}", lost.hash(), e.getMessage());
        }
    }
}
