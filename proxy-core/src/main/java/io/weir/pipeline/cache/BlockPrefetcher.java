package io.weir.pipeline.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.channel.EventLoop;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CallKey;
import io.weir.chain.HeadTracker;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.method.BlockField;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.cache.BlockAccess.Part;
import io.weir.pipeline.cache.BlockAccess.Stored;
import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of whole blocks of one network: those under way, the accesses to blocks, and the budget. Decides nothing about a
 * call. Thread-safe.
 */
final class BlockPrefetcher {

    /** The longest wait: after it, a call goes to a node by itself. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_WAITING = 20_000;

    /** Blocks whose accesses are counted, and how long after the last one. */
    private static final int MAX_COUNTED = 4_096;

    private static final long COUNTED_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** The number of blocks behind the head that clients ask for again and again. */
    private static final long NEAR_HEAD = 2;

    /** The time for which a block is not fetched again after its fetch failed. */
    private static final long AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The time for which a block is not fetched again that came and could not be stored. */
    private static final long AFTER_NO_USE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The time without fetches of receipts after a node said that it does not serve those of whole blocks. */
    private static final long WITHOUT_RECEIPTS_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final boolean enabled;
    private final boolean verifies;
    private final HeadTracker head;
    private final LongSupplier clock;
    private final BlockCalls calls;
    private final Fetches fetches;
    /** The recent accesses to blocks, by each of their names. */
    private final Cache<String, Accesses> accesses;

    private final PrefetchBudget budget;
    /** The calls that wait for a fetch. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicLong withoutReceipts = new AtomicLong();

    /**
     * @param verifies whether receipts are stored only beside their block
     * @param calls sends the fetches to nodes
     */
    BlockPrefetcher(
            GatherConfig config,
            boolean verifies,
            HeadTracker head,
            BlockCalls calls,
            PrefetchBudget budget,
            LongSupplier clock) {
        this.enabled = config.enabled();
        this.verifies = verifies;
        this.head = head;
        this.calls = calls;
        this.clock = clock;
        this.fetches = new Fetches(clock);
        this.accesses = Caffeine.newBuilder()
                .maximumSize(MAX_COUNTED)
                .expireAfterAccess(COUNTED_NANOS, TimeUnit.NANOSECONDS)
                .ticker(clock::getAsLong)
                .executor(OutOfMemory::run)
                .build();
        this.budget = budget;
        this.withoutReceipts.set(clock.getAsLong() - WITHOUT_RECEIPTS_NANOS);
    }

    /**
     * Returns the names of the block that a call is about; null if none is known, or if prefetching is off.
     *
     * @param stored reads the block's names, as far as memory knows them; else null
     */
    @Nullable
    BlockNames names(BlockQuestion question, Supplier<@Nullable BlockNames> stored) {
        return enabled ? namesOf(question, stored) : null;
    }

    /** A block that has been fetched is stored first, and then its fetch ends: read the other way round, both could lack it. */
    private @Nullable BlockNames namesOf(BlockQuestion question, Supplier<@Nullable BlockNames> stored) {
        String transaction = question.transaction();
        BlockNames fetching = transaction == null ? null : fetches.blockOf(transaction);
        BlockNames known = stored.get();
        return known == null ? fetching : known;
    }

    /**
     * Reads the state of the block that a call is about. Counts the call as an access to the block, unless a fetch is under way
     * that will answer it.
     *
     * @param memory reads the stored results of the block that matter for a part of it
     * @param storable whether the block could be stored, as far as is known
     */
    BlockAccess access(
            BlockQuestion question, CallKey key, BlockNames names, Function<Part, Stored> memory, boolean storable) {
        Part part = part(question);
        Fetch running = fetches.find(part.isOfReceipts(), names);
        Accesses counted = running == null ? accesses(names.first()) : null;
        // Before memory: when the fetch has ended, memory has the block.
        boolean blockFetching = fetches.find(false, names) != null;
        // A read counts as a use of the result: a call that will wait for the fetch reads nothing.
        Stored stored = running == null ? memory.apply(part) : Stored.NOTHING;
        boolean repeated = counted != null && (counted.isSecond(key) || blockFetching || stored.block());
        return new BlockAccess(
                names,
                part,
                running,
                running != null && running.isAsked() && running.selector().equals(names.selector()),
                repeated,
                counted != null && counted.isResting(),
                stored,
                blockFetching,
                storable,
                verifies,
                lacksReceipts());
    }

    private Part part(BlockQuestion question) {
        BlockField field = question.form();
        return switch (field) {
            case WHOLE -> Part.WHOLE_BLOCK;
            case RECEIPTS -> Part.ALL_RECEIPTS;
            case UNCLE -> Part.UNCLE;
            case HASHES -> isNearHead(question) ? Part.NEW_BLOCK : Part.PART_OF_BLOCK;
            default -> field.isOfReceipts() ? Part.PART_OF_RECEIPTS : Part.PART_OF_BLOCK;
        };
    }

    private boolean isNearHead(BlockQuestion question) {
        return question.number() >= 0 && head.number() >= 0 && question.number() >= head.number() - NEAR_HEAD;
    }

    private boolean lacksReceipts() {
        return clock.getAsLong() - withoutReceipts.get() < WITHOUT_RECEIPTS_NANOS;
    }

    /**
     * Opens a fetch that a client's call brings.
     *
     * @return null if there is one already, or if too many are under way
     */
    @Nullable
    Fetch open(boolean ofReceipts, BlockNames names) {
        return fetches.open(ofReceipts, names, false);
    }

    /**
     * Fetches the block, or its receipts, in place of a client's call.
     *
     * @return the fetch to wait for; null if there is none, because too many are under way or were of no use
     */
    @Nullable
    Fetch fetchInstead(boolean ofReceipts, BlockNames names, EventLoop loop) {
        Fetch fetch = budget.pays() ? fetch(ofReceipts, names, loop) : null;
        if (fetch != null) {
            budget.countInstead();
        }
        return fetch == null ? fetches.find(ofReceipts, names) : fetch;
    }

    /**
     * Fetches the block, or its receipts, beyond the clients' calls. Returns false if that is not possible now, or if the client left
     * whose call is the reason.
     */
    boolean fetchExtra(boolean ofReceipts, BlockNames names, CallContext reason) {
        return !reason.isClientGone() && budget.tryTake() && fetch(ofReceipts, names, reason.loop()) != null;
    }

    private @Nullable Fetch fetch(boolean ofReceipts, BlockNames names, EventLoop loop) {
        Fetch fetch = fetches.open(ofReceipts, names, true);
        if (fetch != null && !calls.send(fetch, names.selector(), loop)) {
            settle(fetch, false, false);
        }
        return fetch;
    }

    /**
     * Lets a call wait for the end of a fetch, for at most half of the time that it has left.
     *
     * @param ended runs on the call's loop when the fetch has ended, or at once if it already has
     * @return false if too many calls wait already; then nothing will run
     */
    boolean await(Fetch fetch, CallContext context, Runnable ended) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        long left = context.deadlineNanos() - System.nanoTime();
        boolean waits = fetch.join(context.loop(), Math.min(left / 2, MAX_WAIT_NANOS), stored -> {
            waiting.decrementAndGet();
            context.step(ended);
        });
        if (waits) {
            budget.countWait();
        } else {
            waiting.decrementAndGet();
            ended.run();
        }
        return true;
    }

    /** Returns whether a lookup by a transaction's hash should wait for the blocks that are being fetched. */
    boolean mayArrive() {
        return enabled && fetches.arrivals().isAwaited();
    }

    /** Lets a lookup by a transaction's hash wait, as {@link Arrivals#await}. */
    void awaitArrival(String transaction, CallContext context, Runnable ended) {
        budget.countWait();
        fetches.arrivals().await(transaction, context, ended);
    }

    /**
     * Notes that a node has answered a call about a block, whatever the answer.
     *
     * @param stored reads the block's names, as far as memory knows them; else null
     */
    void answered(BlockQuestion question, CallKey key, Supplier<@Nullable BlockNames> stored) {
        BlockNames names = namesOf(question, stored);
        if (names != null) {
            names.all().forEach(name -> accesses(name).answered(key));
        }
    }

    /**
     * Counts the answer to a lookup by a transaction's hash as an access to the transaction's block. From the second access on,
     * fetches the block. After the lookup of a receipt, fetches the receipts too.
     *
     * @param stored whether the block with its transactions is stored
     */
    void located(CallKey key, boolean ofReceipts, BlockNames names, BooleanSupplier stored, CallContext lookup) {
        Accesses counted = accesses(names.first());
        boolean second = counted.isSecond(key);
        counted.answered(key);
        if (!enabled || !second || counted.isResting()) {
            return;
        }
        boolean known = fetches.find(false, names) != null || stored.getAsBoolean();
        boolean wanted = !ofReceipts || verifies;
        if (!known && wanted && !fetchExtra(false, names, lookup)) {
            return;
        }
        if (ofReceipts && !lacksReceipts() && fetches.find(true, names) == null) {
            fetchExtra(true, names, lookup);
        }
    }

    /** Notes a node's answer to a fetch, before any client gets it. */
    void arrived(Fetch fetch, String hash, long number, List<String> transactions) {
        fetches.arrived(fetch, hash, number, transactions);
    }

    /** Runs an action once no fetch of a block is under way. Before it arrives, a fetch may be known by the block's height alone. */
    void whenBlockSettled(BlockNames names, EventLoop loop, Runnable action) {
        Fetch block = fetches.find(false, names);
        if (block == null || !block.join(loop, MAX_WAIT_NANOS, stored -> action.run())) {
            action.run();
        }
    }

    /**
     * Ends a fetch: the calls that wait for it look into memory.
     *
     * @param came whether a node answered
     */
    void settle(Fetch fetch, boolean came, boolean stored) {
        // Receipts that a client's call brought may lack only their block: the next call fetches that.
        boolean rests = fetch.isOwn() || !fetch.isReceipts();
        if (fetches.settle(fetch, stored) && !stored && rests) {
            fetch.names().forEach(name -> accesses(name).rest(came ? AFTER_NO_USE_NANOS : AFTER_FAILURE_NANOS));
        }
    }

    /** Notes that a node does not serve the receipts of whole blocks. */
    void lacksReceipts(Fetch fetch) {
        withoutReceipts.set(clock.getAsLong());
        settle(fetch, false, false);
    }

    private Accesses accesses(String name) {
        return accesses.get(name, missing -> new Accesses());
    }

    /** The accesses to one block. Thread-safe. */
    private final class Accesses {

        private int count;
        private @Nullable CallKey underWay;
        private boolean resting;
        private long restUntilNanos;

        /**
         * Counts an access, and returns whether it is at least the second. A call equal to one that is under way does not count:
         * one answer serves both.
         */
        synchronized boolean isSecond(CallKey key) {
            if (key.equals(underWay)) {
                return false;
            }
            count++;
            if (count == 1) {
                underWay = key.compact();
            }
            return count > 1;
        }

        /** Notes that a call was answered. */
        synchronized void answered(CallKey key) {
            if (key.equals(underWay)) {
                underWay = null;
            }
        }

        /** Returns whether the block is not to be fetched now. */
        synchronized boolean isResting() {
            resting = resting && clock.getAsLong() - restUntilNanos < 0;
            return resting;
        }

        /** Prevents fetches of the block for a time, after one that was of no use. */
        synchronized void rest(long nanos) {
            resting = true;
            restUntilNanos = clock.getAsLong() + nanos;
        }
    }

    /** The proxy's own calls for whole blocks and receipts. Thread-safe. */
    @FunctionalInterface
    interface BlockCalls {

        /**
         * Sends the call of a fetch to a node. The fetch is settled once its answer is stored or refused.
         *
         * @param selector the block's hash or height, as the text of a parameter
         * @return false if the network has no such call; then nothing was sent
         */
        boolean send(Fetch fetch, String selector, EventLoop loop);
    }

    /**
     * The fetches of one network that are under way, by their block's hash or height, and the transactions of their blocks. Both are
     * bounded. Thread-safe.
     */
    static final class Fetches {

        static final int MAX = 1_000;

        /** The largest number of transactions of blocks that are being fetched. */
        static final int MAX_TRANSACTIONS = 100_000;

        private final ConcurrentHashMap<String, Fetch> blocks = new ConcurrentHashMap<>();
        private final ConcurrentHashMap<String, Fetch> receipts = new ConcurrentHashMap<>();
        private final ConcurrentHashMap<String, BlockNames> transactions = new ConcurrentHashMap<>();
        private final Arrivals arrivals;

        /** @param clock nanoseconds, as {@link System#nanoTime} */
        Fetches(LongSupplier clock) {
            arrivals = new Arrivals(clock);
        }

        private ConcurrentHashMap<String, Fetch> table(boolean ofReceipts) {
            return ofReceipts ? receipts : blocks;
        }

        /** Returns the fetch of a block under one of its names; null if there is none. */
        @Nullable
        Fetch find(boolean ofReceipts, BlockNames names) {
            ConcurrentHashMap<String, Fetch> table = table(ofReceipts);
            Fetch fetch = names.hash() == null ? null : table.get(names.hash());
            return fetch == null && names.number() >= 0 ? table.get(BlockNames.height(names.number())) : fetch;
        }

        Arrivals arrivals() {
            return arrivals;
        }

        /** Returns the names of the block, while it is being fetched, that holds a transaction; else null. */
        @Nullable
        BlockNames blockOf(String transaction) {
            return transactions.get(transaction);
        }

        /** Opens a fetch; returns null if there is one already, or if too many are under way. */
        @Nullable
        Fetch open(boolean ofReceipts, BlockNames names, boolean own) {
            if (table(ofReceipts).size() >= MAX || find(ofReceipts, names) != null) {
                return null;
            }
            Fetch fetch = new Fetch(ofReceipts, own, names.selector());
            fetch.name(names.first());
            if (table(ofReceipts).putIfAbsent(names.first(), fetch) != null) {
                return null;
            }
            register(fetch, names);
            arrivals.opened(fetch);
            return fetch;
        }

        /** Registers a fetch under all names of the block that arrived, and its transactions. */
        void arrived(Fetch fetch, String hash, long number, List<String> hashes) {
            List<String> noted = new ArrayList<>();
            BlockNames names = new BlockNames(hash, number, false);
            register(fetch, names);
            if (transactions.size() + hashes.size() <= MAX_TRANSACTIONS) {
                for (String transaction : hashes) {
                    if (transactions.putIfAbsent(transaction, names) == null) {
                        noted.add(transaction);
                    }
                }
            }
            fetch.arrive(noted);
            arrivals.answered(fetch, hashes);
            if (fetch.isEnded()) {
                forget(fetch);
            }
        }

        private void register(Fetch fetch, BlockNames names) {
            for (String name : names.all()) {
                if (table(fetch.isReceipts()).putIfAbsent(name, fetch) == null) {
                    fetch.name(name);
                }
            }
        }

        /** Ends a fetch; returns whether it had not ended before. */
        boolean settle(Fetch fetch, boolean stored) {
            boolean first = fetch.settle(stored);
            if (first) {
                forget(fetch);
                arrivals.answered(fetch, null);
            }
            return first;
        }

        private void forget(Fetch fetch) {
            fetch.names().forEach(name -> table(fetch.isReceipts()).remove(name, fetch));
            fetch.transactions().forEach(transactions::remove);
        }
    }
}
