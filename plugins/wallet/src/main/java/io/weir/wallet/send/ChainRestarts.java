package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.StoredTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a chain began anew, as development nodes do when they are restarted. A chain has begun anew if a block that was
 * remembered is gone, the network knows none of the newest transactions that were in blocks, and their nonces are free. The first
 * two blocks are never reorganised: if one of them is gone, that counts at once. A later block can be: then a transaction must
 * have been in its block for ten minutes. One answer is not trusted: it must be the same several times. A node that lags behind
 * its network proves nothing. Thread-safe; blocks.
 */
public final class ChainRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(ChainRestarts.class);
    private static final Duration LONG_AGO = Duration.ofMinutes(10);
    private static final int CONFIRMATIONS = 3;
    /** Blocks up to this one are remembered for good; above it only the newest. */
    private static final long LAST_OF_BEGINNING = 1;

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

    /**
     * Looks at a chain, if it was not looked at lately, and puts away what was on the one before.
     */
    public void check(L2Network network) {
        long now = nanoClock.getAsLong();
        Long before = looked.get(network.chainId());
        if (before != null && now - before < intervalNanos) {
            return;
        }
        looked.put(network.chainId(), now);
        try {
            Map<Long, Felt> known = chains.blocks(network.chainId());
            Loss loss = loss(network, known);
            if (loss == Loss.NONE || isContinued(network, loss)) {
                remember(network, loss == Loss.NONE ? known : beginningOf(known));
            } else if (isLongEnough(network, loss) && isConfirmed(network, known, loss)) {
                LOG.warn("network {}: the chain began anew; its transactions are put into the archive", network.name());
                chains.archive(network.chainId(), onNewChain(network));
                remember(network, Map.of());
            }
        } catch (RpcException e) {
            LOG.debug("network {}: its chain cannot be looked at: {}", network.name(), e.getMessage());
        }
    }

    /** Transactions that were sent after the restart and before it was noticed: forgotten, they could be sent a second time. */
    private List<StoredTransaction> onNewChain(L2Network network) {
        return chains.sentWithin(network.chainId(), LONG_AGO).stream()
                .filter(one -> client.status(network, one.hash()).isPresent())
                .toList();
    }

    /** The blocks that are gone. */
    private enum Loss {
        NONE,
        /** Blocks that a reorganisation can take; or no block is known at all. */
        OF_LATER_BLOCKS,
        OF_THE_BEGINNING
    }

    private Loss loss(L2Network network, Map<Long, Felt> known) {
        Loss loss = known.isEmpty() && !client.isSyncing(network) ? Loss.OF_LATER_BLOCKS : Loss.NONE;
        for (Map.Entry<Long, Felt> block : known.entrySet()) {
            if (isGone(network, block.getKey(), block.getValue())) {
                return block.getKey() <= LAST_OF_BEGINNING ? Loss.OF_THE_BEGINNING : Loss.OF_LATER_BLOCKS;
            }
        }
        return loss;
    }

    /** A block of which the network says nothing is not gone. */
    private boolean isGone(L2Network network, long number, Felt hash) {
        try {
            Optional<Felt> now = client.blockHash(network, number);
            return now.isPresent() ? !now.get().equals(hash) : !client.isSyncing(network);
        } catch (RpcException e) {
            LOG.debug("network {}: block {} cannot be looked at: {}", network.name(), number, e.getMessage());
            return false;
        }
    }

    /**
     * Whether the network still has what the wallet knows of its blocks. If the wallet knows nothing, the beginning decides, unless the
     * outcome of a transaction is open.
     */
    private boolean isContinued(L2Network network, Loss loss) {
        List<StoredTransaction> settled = chains.settled(network.chainId(), Duration.ZERO);
        if (settled.isEmpty()) {
            // A node's word about blocks alone forgets no transaction whose outcome is open: it could be sent a second
            // time.
            return loss != Loss.OF_THE_BEGINNING || chains.hasOpen(network.chainId(), LONG_AGO);
        }
        for (StoredTransaction one : settled) {
            if (client.status(network, one.hash()).isPresent()
                    || client.confirmedNonce(network, one.sender()) > one.nonce()) {
                return true;
            }
        }
        return false;
    }

    private boolean isLongEnough(L2Network network, Loss loss) {
        return loss == Loss.OF_THE_BEGINNING
                || !chains.settled(network.chainId(), LONG_AGO).isEmpty();
    }

    private boolean isConfirmed(L2Network network, Map<Long, Felt> known, Loss loss) {
        for (int time = 1; time < CONFIRMATIONS; time++) {
            if (loss(network, known) != loss || isContinued(network, loss)) {
                return false;
            }
        }
        return true;
    }

    private static Map<Long, Felt> beginningOf(Map<Long, Felt> known) {
        Map<Long, Felt> beginning = new TreeMap<>(known);
        beginning.keySet().removeIf(number -> number > LAST_OF_BEGINNING);
        return beginning;
    }

    private void remember(L2Network network, Map<Long, Felt> known) {
        Felt chain = network.chainId();
        long newest = client.newestBlock(network);
        if (newest > LAST_OF_BEGINNING && !known.containsKey(newest)) {
            client.blockHash(network, newest)
                    .ifPresent(hash -> chains.replaceBlocksAbove(LAST_OF_BEGINNING, chain, newest, hash));
        }
        for (long number = 0; number <= Math.min(LAST_OF_BEGINNING, newest); number++) {
            if (!known.containsKey(number)) {
                long missing = number;
                client.blockHash(network, missing).ifPresent(hash -> chains.keepBlock(chain, missing, hash));
            }
        }
    }
}
