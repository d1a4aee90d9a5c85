package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a chain began again, as development nodes do when they are restarted. The first two blocks are never reorganised:
 * another hash for one of them means another chain. A missing block, or another later one, proves less. Then the network must know
 * none of the newest transactions that were in blocks, and their nonces must be free. A reorganisation can take a later block: a
 * transaction must have been in it for ten minutes. One answer is not trusted: it must be the same several times. A node that lags
 * behind its network proves nothing. Thread-safe; blocks.
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
    /** One thread at a time looks at a chain: the others wait for what it finds. */
    private final ConcurrentMap<Felt, Object> locks = new ConcurrentHashMap<>();
    /** When the beginning of each chain was seen last as it is remembered; empty after a start. */
    private final ConcurrentMap<Felt, Instant> seen = new ConcurrentHashMap<>();

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
        look(network);
    }

    /** Returns whether a chain begins as it is remembered. If not, looks at it at once. */
    boolean isSame(L2Network network) {
        Map<Long, Felt> beginning = beginningOf(chains.blocks(network.chainId()));
        if (beginning.isEmpty() || !loss(network, beginning).isOfBeginning()) {
            return true;
        }
        look(network);
        return false;
    }

    private void look(L2Network network) {
        synchronized (locks.computeIfAbsent(network.chainId(), missing -> new Object())) {
            lookAlone(network);
        }
    }

    private void lookAlone(L2Network network) {
        Instant time = chains.clock().instant();
        try {
            Map<Long, Felt> known = chains.blocks(network.chainId());
            Loss loss = loss(network, known);
            if (!loss.isOfBeginning()) {
                seen.put(network.chainId(), time);
            }
            if (loss.equals(Loss.NONE) || isContinued(network, loss)) {
                remember(network, loss.equals(Loss.NONE) ? known : beginningOf(known));
            } else if ((loss.isOfBeginning()
                            || !chains.settled(network.chainId(), LONG_AGO).isEmpty())
                    && isConfirmed(network, known, loss)) {
                ChainTable.Mark mark = chains.mark(network.chainId());
                // Forgotten, they could be sent a second time. A node may have refused a transaction and kept it.
                List<StoredTransaction> kept = chains.newest(network.chainId()).stream()
                        .filter(one -> isKnown(network, one)
                                || (isRecent(one) && one.state() != TransactionState.ACCEPTED_ON_L2))
                        .toList();
                LOG.warn("network {}: the chain began again; its transactions are archived", network.name());
                chains.archive(network.chainId(), mark, kept);
                remember(network, Map.of());
            }
        } catch (RpcException e) {
            LOG.debug("network {}: its chain cannot be looked at: {}", network.name(), e.getMessage());
        }
    }

    /** Whether a transaction may be on the new chain though the network does not know it: forgotten, it could be sent again. */
    private boolean isInDoubt(L2Network network, StoredTransaction one) {
        return isRecent(one)
                && !isKnown(network, one)
                && (one.state() == TransactionState.ACCEPTED_ON_L2
                        ? client.confirmedNonce(network, one.sender()) > one.nonce()
                        : !one.state().isSettled());
    }

    /** Returns whether a transaction was signed a short time ago, and after the old chain was seen last. */
    boolean isRecent(StoredTransaction one) {
        return one.created().isAfter(chains.clock().instant().minus(LONG_AGO))
                && !one.created().isBefore(seen.getOrDefault(one.chainId(), Instant.MIN));
    }

    private boolean isKnown(L2Network network, StoredTransaction one) {
        return IntStream.range(0, CONFIRMATIONS)
                .anyMatch(time -> client.status(network, one.hash()).isPresent());
    }

    /** A remembered block that is gone, and the hash in its place, zero if there is none. Immutable. */
    private record Loss(long number, Felt hash) {
        static final Loss NONE = new Loss(Long.MAX_VALUE, Felt.ZERO);

        boolean isOfBeginning() {
            return number <= LAST_OF_BEGINNING;
        }
    }

    private Loss loss(L2Network network, Map<Long, Felt> known) {
        for (Map.Entry<Long, Felt> block : known.entrySet()) {
            Felt now = hashNow(network, block.getKey(), block.getValue());
            if (!now.equals(block.getValue())) {
                return new Loss(block.getKey(), now);
            }
        }
        boolean isUnknown = known.isEmpty() && !client.isSyncing(network);
        return isUnknown ? new Loss(LAST_OF_BEGINNING + 1, Felt.ZERO) : Loss.NONE;
    }

    /** A block of which the network says nothing is not gone. */
    private Felt hashNow(L2Network network, long number, Felt remembered) {
        try {
            return client.blockHash(network, number)
                    .orElseGet(() -> client.isSyncing(network) ? remembered : Felt.ZERO);
        } catch (RpcException e) {
            LOG.debug("network {}: block {} cannot be looked at: {}", network.name(), number, e.getMessage());
            return remembered;
        }
    }

    /** Whether the network still has what the wallet knows of its blocks, or it cannot be told yet what is on the new chain. */
    private boolean isContinued(L2Network network, Loss loss) {
        if (loss.isOfBeginning() && !loss.hash().equals(Felt.ZERO)) {
            return chains.newest(network.chainId()).stream().anyMatch(one -> isInDoubt(network, one));
        }
        List<StoredTransaction> settled = chains.settled(network.chainId(), Duration.ZERO);
        return settled.isEmpty()
                || settled.stream()
                        .anyMatch(one -> client.status(network, one.hash()).isPresent()
                                || client.confirmedNonce(network, one.sender()) > one.nonce());
    }

    private boolean isConfirmed(L2Network network, Map<Long, Felt> known, Loss loss) {
        for (int time = 1; time < CONFIRMATIONS; time++) {
            if (!loss(network, known).equals(loss) || isContinued(network, loss)) {
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
                client.blockHash(network, missing)
                        .filter(hash -> loss(network, Map.of(missing, hash)).equals(Loss.NONE))
                        .ifPresent(hash -> chains.keepBlock(chain, missing, hash));
            }
        }
    }
}
