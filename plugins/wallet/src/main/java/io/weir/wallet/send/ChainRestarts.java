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
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a chain began again, as development nodes do when they are restarted. The first two blocks are never reorganised:
 * another hash for one of them means another chain, unless the network still has a later block, or knows a transaction that was in
 * a block before the old chain was seen last. A missing block, or another later one, proves less. Then the network must know
 * none of the newest transactions that were in blocks, and their nonces must be free. A reorganisation can take a later block: a
 * transaction must have been in it for ten minutes. One answer is not trusted: it must be the same several times, on a long chain
 * also in a later look. A node that lags behind its network proves nothing. Thread-safe; blocks.
 */
public final class ChainRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(ChainRestarts.class);
    private static final Duration LONG_AGO = Duration.ofMinutes(10);
    private static final String CONTRADICTS = "contradict others; lost transactions wait, ten minutes at most";
    private static final int CONFIRMATIONS = 3;
    /** Chains of development nodes are shorter: they begin again often, and payments must not wait for another look. */
    private static final long LONG_CHAIN = 10_000;
    /** Blocks up to this one are remembered for good; above it only the newest. */
    private static final long LAST_OF_BEGINNING = 1;

    private final L2Client client;
    private final ChainTable chains;
    private final long intervalNanos;
    private final LongSupplier nanoClock;
    /** One entry for each configured network. */
    private final ConcurrentMap<Felt, Watch> watches = new ConcurrentHashMap<>();

    /** The state of one chain. The thread that holds the lock looks at the chain. Thread-safe. */
    private static final class Watch {
        final Lock lock = new ReentrantLock();
        volatile long looked;
        /** The last time at which all remembered first blocks were the same; long ago after a start. */
        volatile Instant seen = Instant.EPOCH;
        /** The finding of the last look. */
        volatile Loss found = Loss.NONE;
        /** The time of the first look of those in a row that found the same. */
        volatile long since;
    }

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

    /** Looks at a chain, if it was not looked at lately and no thread does, and puts away what was on the one before. */
    public void check(L2Network network) {
        Watch watch = watch(network.chainId());
        if (nanoClock.getAsLong() - watch.looked >= intervalNanos && watch.lock.tryLock()) {
            look(network, watch);
        }
    }

    /**
     * Returns whether a chain begins as it is remembered. If not, looks at it at once. If each look for ten minutes found that the
     * network contradicts itself about the beginning, that tells nothing.
     */
    boolean isSame(L2Network network) {
        Map<Long, Felt> beginning = beginningOf(chains.blocks(network.chainId()));
        if (beginning.isEmpty() || !loss(network, beginning).isOfBeginning()) {
            return true;
        }
        Watch watch = watch(network.chainId());
        watch.lock.lock();
        look(network, watch);
        return watch.found.equals(Loss.DISPUTED) && watch.looked - watch.since >= LONG_AGO.toNanos();
    }

    private Watch watch(Felt chainId) {
        return watches.computeIfAbsent(chainId, missing -> {
            Watch watch = new Watch();
            watch.looked = nanoClock.getAsLong() - intervalNanos;
            return watch;
        });
    }

    private void look(L2Network network, Watch watch) {
        try {
            Instant time = chains.clock().instant();
            long before = watch.looked;
            watch.looked = nanoClock.getAsLong();
            Map<Long, Felt> known = chains.blocks(network.chainId());
            Loss loss = loss(network, known);
            boolean continues = !loss.isOne() || isContinued(network, known, loss);
            boolean isProven = !continues
                    && IntStream.range(1, CONFIRMATIONS)
                            .allMatch(again -> loss(network, known).equals(loss));
            Loss found = isProven || !loss.isOfBeginning() ? loss : Loss.DISPUTED;
            boolean isNew = !found.equals(watch.found) || watch.looked - before > LONG_AGO.toNanos();
            watch.since = isNew ? watch.looked : watch.since;
            if (isNew && found.equals(Loss.DISPUTED)) {
                LOG.warn("network {}: its first blocks {}", network.name(), CONTRADICTS);
            }
            watch.found = found;
            if (loss.equals(Loss.NONE)) {
                watch.seen = time;
            }
            if (isProven && isRipe(network, loss, watch)) {
                archive(network);
            } else if (continues && !loss.isOfBeginning()) {
                remember(network, loss.isOne() ? beginningOf(known) : known);
            }
        } catch (RpcException e) {
            LOG.debug("network {}: its chain cannot be looked at: {}", network.name(), e.getMessage());
        } finally {
            watch.lock.unlock();
        }
    }

    /** Whether a proven loss has been seen for long enough, and nothing that may be on the new chain would be archived. */
    private boolean isRipe(L2Network network, Loss loss, Watch watch) {
        Felt chain = network.chainId();
        Instant then = chains.clock().instant().minus(LONG_AGO);
        return (watch.looked - watch.since >= 2 * intervalNanos || client.newestBlock(network) < LONG_CHAIN)
                && (loss.isOther()
                        ? chains.newest(chain).stream().noneMatch(one -> isInDoubt(network, one))
                        : loss.isOfBeginning() || !chains.settled(chain, then).isEmpty());
    }

    private void archive(L2Network network) {
        ChainTable.Mark mark = chains.mark(network.chainId());
        // Forgotten, they could be sent a second time. A node may have refused a transaction and kept it.
        List<StoredTransaction> kept = chains.newest(network.chainId()).stream()
                .filter(one ->
                        isKnown(network, one) || (isRecent(one) && one.state() != TransactionState.ACCEPTED_ON_L2))
                .toList();
        LOG.warn("network {}: the chain began again; its transactions are archived", network.name());
        chains.archive(network.chainId(), mark, kept);
        remember(network, Map.of());
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
                && !one.created().isBefore(watch(one.chainId()).seen);
    }

    private boolean isKnown(L2Network network, StoredTransaction one) {
        return IntStream.range(0, CONFIRMATIONS)
                .anyMatch(time -> client.status(network, one.hash()).isPresent());
    }

    /** A remembered block that is gone, and the hash in its place, zero if there is none. Immutable. */
    private record Loss(long number, Felt hash) {
        static final Loss NONE = new Loss(Long.MAX_VALUE, Felt.ZERO);
        /** No block is known to be gone, but not all of the beginning are known to be there. */
        static final Loss UNANSWERED = new Loss(Long.MAX_VALUE - 1, Felt.ZERO);
        /** A block of the beginning, which the network contradicts. */
        static final Loss DISPUTED = new Loss(-1, Felt.ZERO);

        boolean isOne() {
            return number < UNANSWERED.number;
        }

        boolean isOfBeginning() {
            return number <= LAST_OF_BEGINNING;
        }

        /** Whether another block is in its place, which only another chain can have there. */
        boolean isOther() {
            return isOfBeginning() && !hash.isZero();
        }
    }

    private Loss loss(L2Network network, Map<Long, Felt> known) {
        boolean isAnswered = !beginningOf(known).isEmpty();
        for (Map.Entry<Long, Felt> block : known.entrySet()) {
            Optional<Felt> now = hashNow(network, block.getKey());
            if (now.isPresent() && !now.get().equals(block.getValue())) {
                return new Loss(block.getKey(), now.get());
            }
            isAnswered &= now.isPresent() || block.getKey() > LAST_OF_BEGINNING;
        }
        if (known.isEmpty() && !client.isSyncing(network)) {
            return new Loss(LAST_OF_BEGINNING + 1, Felt.ZERO);
        }
        return isAnswered ? Loss.NONE : Loss.UNANSWERED;
    }

    /** Returns the hash of a block, zero if it is gone; or nothing if that cannot be told. */
    private Optional<Felt> hashNow(L2Network network, long number) {
        try {
            Optional<Felt> hash = client.blockHash(network, number);
            return hash.isPresent() || client.isSyncing(network) ? hash : Optional.of(Felt.ZERO);
        } catch (RpcException e) {
            LOG.debug("network {}: block {} cannot be looked at: {}", network.name(), number, e.getMessage());
            return Optional.empty();
        }
    }

    /** Whether the network still has what the wallet knows of its blocks. */
    private boolean isContinued(L2Network network, Map<Long, Felt> known, Loss loss) {
        Felt chain = network.chainId();
        // The others may be in blocks of the new chain.
        Instant until = loss.isOther()
                ? watch(chain).seen.minusMillis(1)
                : chains.clock().instant();
        List<StoredTransaction> settled = chains.settled(chain, until);
        return (settled.isEmpty() && !loss.isOther())
                || known.entrySet().stream()
                        .anyMatch(block -> block.getKey() > loss.number()
                                && hashNow(network, block.getKey()).equals(Optional.of(block.getValue())))
                || settled.stream()
                        .anyMatch(one -> isKnown(network, one)
                                || (!loss.isOther() && client.confirmedNonce(network, one.sender()) > one.nonce()));
    }

    private static Map<Long, Felt> beginningOf(Map<Long, Felt> known) {
        Map<Long, Felt> beginning = new TreeMap<>(known);
        beginning.keySet().removeIf(number -> number > LAST_OF_BEGINNING);
        return beginning;
    }

    private void remember(L2Network network, Map<Long, Felt> known) {
        long newest = client.newestBlock(network);
        // The newest one first: of a chain that begins again meanwhile, it would seem to be the old one's.
        LongStream.concat(LongStream.of(newest), LongStream.rangeClosed(0, LAST_OF_BEGINNING))
                .filter(number -> number <= newest && !known.containsKey(number))
                .forEach(number -> client.blockHash(network, number)
                        .filter(hash -> number > LAST_OF_BEGINNING
                                ? !loss(network, known).isOfBeginning()
                                : loss(network, Map.of(number, hash)).equals(Loss.NONE))
                        .ifPresent(hash -> chains.keepBlock(network.chainId(), number, hash, LAST_OF_BEGINNING)));
    }
}
