package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.StoredTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a chain began anew, as development nodes do when they are restarted. A chain has begun anew if its first block has
 * another hash, or if the network knows none of the transactions that were in blocks some time ago, and their nonces are free. One
 * answer is not trusted: it must be the same several times. Thread-safe; blocks.
 */
public final class ChainRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(ChainRestarts.class);
    private static final Duration LONG_AGO = Duration.ofMinutes(10);
    private static final int CONFIRMATIONS = 3;

    private final L2Client client;
    private final ChainTable chains;
    private final long intervalNanos;
    private final LongSupplier nanoClock;
    /** When each chain was looked at last; one entry for each configured network. */
    private final ConcurrentMap<Felt, Long> looked = new ConcurrentHashMap<>();

    /**
     * Makes a watch.
     *
     * @param interval a chain that was looked at within this time is not looked at again
     */
    public ChainRestarts(L2Client client, ChainTable chains, Duration interval, LongSupplier nanoClock) {
        this.client = client;
        this.chains = chains;
        this.intervalNanos = interval.toNanos();
        this.nanoClock = nanoClock;
    }

    /** Looks at a chain, if it was not looked at lately, and puts away what was on the one before. */
    public void check(L2Network network) {
        long now = nanoClock.getAsLong();
        Long before = looked.get(network.chainId());
        if (before != null && now - before < intervalNanos) {
            return;
        }
        looked.put(network.chainId(), now);
        Optional<Felt> first = client.firstBlock(network);
        Optional<Felt> known = chains.firstBlock(network.chainId());
        if (first.isPresent() && known.isEmpty()) {
            chains.keepFirstBlock(network.chainId(), first.get());
        }
        boolean another = first.isPresent() && known.isPresent() && !first.equals(known);
        if (another ? isConfirmed(network, first.get()) : first.isPresent() && isForgotten(network)) {
            LOG.warn("network {}: the chain began anew; its transactions are put into the archive", network.name());
            chains.archive(network.chainId(), first.orElse(Felt.ZERO));
        }
    }

    private boolean isConfirmed(L2Network network, Felt first) {
        for (int time = 1; time < CONFIRMATIONS; time++) {
            if (!client.firstBlock(network).equals(Optional.of(first))) {
                return false;
            }
        }
        return true;
    }

    /** A transaction that was in a block long ago cannot be taken out of it, but with the whole chain. */
    private boolean isForgotten(L2Network network) {
        List<StoredTransaction> settled = chains.settledLongAgo(network.chainId(), LONG_AGO);
        try {
            for (int time = 0; time < CONFIRMATIONS; time++) {
                for (StoredTransaction one : settled) {
                    if (client.status(network, one.hash()).isPresent()
                            || client.confirmedNonce(network, one.sender()) > one.nonce()) {
                        return false;
                    }
                }
            }
        } catch (RpcException e) {
            return false;
        }
        return !settled.isEmpty();
    }
}
