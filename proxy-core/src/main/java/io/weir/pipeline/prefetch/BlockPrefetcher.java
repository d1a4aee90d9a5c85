package io.weir.pipeline.prefetch;

import io.netty.channel.EventLoop;
import io.weir.cache.block.BlockQuestion;
import io.weir.chain.HeadTracker;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.method.BlockField;
import io.weir.metrics.Meters;
import io.weir.pipeline.prefetch.BlockAccessCounter.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a call about one block that memory does not answer: it goes to a node as it is, or waits for the block
 * that is on its way, or has it fetched. Thread-safe.
 */
public final class BlockPrefetcher {

    /** Blocks behind the head that are asked for again and again. */
    private static final long NEAR_HEAD = 2;

    /** For how long a block is left alone whose fetch failed, or which could not be kept. */
    private static final long AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long AFTER_NO_USE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** For how long a node is believed that it has no receipts of blocks. */
    private static final long WITHOUT_RECEIPTS_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final GatherConfig config;
    private final boolean verifies;
    private final HeadTracker head;
    private final LongSupplier clock;
    private final BlockCalls calls;
    private final Fetches fetches = new Fetches();
    private final BlockAccessCounter visits;
    private final PrefetchBudget budget;
    private final PrefetchMeters meters;
    private final WaitingLookups waiting;
    private final AtomicLong withoutReceipts = new AtomicLong();

    /**
     * Begins without knowing anything.
     *
     * @param verifies whether receipts are kept beside their block only
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public BlockPrefetcher(
            String network,
            GatherConfig config,
            boolean verifies,
            HeadTracker head,
            BlockCalls calls,
            Meters meters,
            LongSupplier clock) {
        this.config = config;
        this.verifies = verifies;
        this.head = head;
        this.calls = calls;
        this.clock = clock;
        this.visits = new BlockAccessCounter(clock);
        this.budget = new PrefetchBudget(config.budgetPercent(), clock);
        this.meters = new PrefetchMeters(meters, network);
        this.waiting = new WaitingLookups(this.meters);
        this.withoutReceipts.set(clock.getAsLong() - WITHOUT_RECEIPTS_NANOS);
    }

    /** Notes a call of a client, whoever answers it. */
    public void countCall() {
        budget.countCall();
    }

    /** Decides on a call; called on its event loop. */
    public void handle(Lookup lookup) {
        BlockQuestion question = lookup.question();
        List<String> names = names(lookup);
        if (!config.enabled() || names.isEmpty()) {
            lookup.forward(null);
            return;
        }
        boolean ofReceipts = question.form().isOfReceipts();
        boolean exact = isExact(question);
        Fetch running = fetches.find(ofReceipts, names);
        if (running != null && !(exact && running.isAsked())) {
            waiting.await(running, lookup);
        } else if (running != null) {
            lookup.forward(asLeader(running));
        } else {
            begin(lookup, names, ofReceipts, exact);
        }
    }

    private void begin(Lookup lookup, List<String> names, boolean ofReceipts, boolean exact) {
        String name = names.get(0);
        Visit visit = visits.of(name);
        boolean second = visit.isSecond(lookup.key()) || isKnown(lookup, names);
        if (isKept(lookup, names, ofReceipts)) {
            // What is there does not answer this call, and would not if it came again.
            lookup.forward(null);
        } else if (exact) {
            if (ofReceipts && second && !visit.isResting()) {
                blockBeside(lookup, names);
            }
            Fetch opened = fetches.open(ofReceipts, name, false);
            lookup.forward(opened == null ? asLeader(fetches.find(ofReceipts, names)) : opened);
        } else if (lookup.question().form() == BlockField.HASHES
                && isNearHead(lookup.question())
                && !visit.isResting()) {
            Fetch fetch = fetches.open(false, name, false);
            if (fetch == null) {
                lookup.forward(null);
            } else {
                lookup.forwardWhole(fetch);
            }
        } else {
            boolean fetched = second && !visit.isResting() && isServed(lookup);
            Fetch fetch = fetched ? fetch(lookup, names, ofReceipts) : null;
            if (fetch == null) {
                lookup.forward(null);
            } else {
                waiting.await(fetch, lookup);
            }
        }
    }

    /** Of the clients that ask for the same at once, whoever's call is sent brings it, not whoever came first. */
    private static @Nullable Fetch asLeader(@Nullable Fetch running) {
        return running == null || running.isOwn() ? null : running;
    }

    /** A block that is on its way, or in memory, was looked up. */
    private boolean isKnown(Lookup lookup, List<String> names) {
        return fetches.find(false, names) != null || isKept(lookup, names, false);
    }

    private static boolean isKept(Lookup lookup, List<String> names, boolean ofReceipts) {
        return names.get(0).charAt(0) == '0' && lookup.isKept(names.get(0), ofReceipts);
    }

    /** Whether the whole block would answer it. An uncle it would not. */
    private static boolean isServed(Lookup lookup) {
        return lookup.question().form() != BlockField.UNCLE && lookup.isWorthFetching();
    }

    /** Fetches what a lookup is part of; null where that is not to be. */
    private @Nullable Fetch fetch(Lookup lookup, List<String> names, boolean ofReceipts) {
        if (ofReceipts && (lacksReceipts() || !blockBeside(lookup, names))) {
            return null;
        }
        Fetch fetch = ask(ofReceipts, names, lookup.context().loop());
        if (fetch != null) {
            meters.countInstead();
        }
        return fetch == null ? fetches.find(ofReceipts, names) : fetch;
    }

    /** Makes sure that the block is there, or on its way, that proves receipts; whether it is. */
    private boolean blockBeside(Lookup lookup, List<String> names) {
        return !verifies
                || isKnown(lookup, names)
                || askExtra(false, names, lookup.context().loop());
    }

    private boolean askExtra(boolean ofReceipts, List<String> names, EventLoop loop) {
        return tryExtra() && ask(ofReceipts, names, loop) != null;
    }

    /** Takes a call beyond what clients asked for out of the budget; whether it may be made. */
    public boolean tryExtra() {
        boolean taken = config.enabled() && budget.tryTake();
        if (taken) {
            meters.countExtra();
        } else {
            meters.countRefused();
        }
        return taken;
    }

    private @Nullable Fetch ask(boolean ofReceipts, List<String> names, EventLoop loop) {
        String name = names.get(names.size() - 1);
        Fetch fetch = fetches.open(ofReceipts, names.get(0), true);
        if (fetch != null) {
            String selector = name.charAt(0) == '#' ? "0x" + Long.toHexString(Long.parseLong(name.substring(1))) : name;
            calls.ask(fetch, selector, loop);
        }
        return fetch;
    }

    /** What a block is called: its hash where that is known, else its height. */
    private List<String> names(Lookup lookup) {
        BlockQuestion question = lookup.question();
        List<String> names = new ArrayList<>(2);
        String hash = lookup.block();
        String transaction = question.transaction();
        String onItsWay = hash == null && transaction != null ? fetches.blockOf(transaction) : hash;
        if (onItsWay != null) {
            names.add(onItsWay);
        }
        if (question.number() >= 0) {
            names.add(Fetches.height(question.number()));
        }
        return names;
    }

    private static boolean isExact(BlockQuestion question) {
        return question.form() == BlockField.WHOLE || question.form() == BlockField.RECEIPTS;
    }

    private boolean isNearHead(BlockQuestion question) {
        return question.number() >= 0 && head.number() >= 0 && question.number() >= head.number() - NEAR_HEAD;
    }

    private boolean lacksReceipts() {
        return clock.getAsLong() - withoutReceipts.get() < WITHOUT_RECEIPTS_NANOS;
    }

    /** Notes that a lookup was answered by a node, whatever with. */
    public void landed(Lookup lookup) {
        for (String name : names(lookup)) {
            visits.of(name).landed(lookup.key());
        }
    }

    /**
     * Notes in which block a transaction was found that was looked up by its hash: the second one in the same block has it fetched.
     *
     * @param number the block's, if it is to be asked for by that; else -1
     */
    public void found(Lookup lookup, String block, long number) {
        boolean second = visits.of(block).isSecond(lookup.key());
        visits.of(block).landed(lookup.key());
        if (!config.enabled() || !second || visits.of(block).isResting()) {
            return;
        }
        List<String> names = number < 0 ? List.of(block) : List.of(block, Fetches.height(number));
        boolean ofReceipts = lookup.question().form().isOfReceipts();
        EventLoop loop = lookup.context().loop();
        boolean known = isKnown(lookup, names);
        boolean wanted = !ofReceipts || verifies;
        if (!known && wanted && !askExtra(false, names, loop)) {
            return;
        }
        if (ofReceipts && !lacksReceipts() && fetches.find(true, names) == null) {
            askExtra(true, names, loop);
        }
    }

    /** Notes what a node answered, before anybody hears of it. */
    public void arrived(Fetch fetch, String hash, long number, List<String> transactions) {
        fetches.arrived(fetch, hash, number, transactions);
    }

    /** Runs an action once the block with this hash, should it be on its way, is in memory or will not be. */
    public void whenBlockSettled(String hash, EventLoop loop, Runnable action) {
        Fetch block = fetches.find(false, List.of(hash));
        if (block == null || !block.join(loop, WaitingLookups.MAX_NANOS, kept -> action.run())) {
            action.run();
        }
    }

    /**
     * Ends a fetch: those who wait look into the memory.
     *
     * @param came whether there was an answer
     */
    public void settle(Fetch fetch, boolean came, boolean kept) {
        if (fetches.settle(fetch, kept) && !kept) {
            fetch.names().forEach(name -> visits.of(name).rest(came ? AFTER_NO_USE_NANOS : AFTER_FAILURE_NANOS));
        }
    }

    /** Notes that a node has no receipts of blocks. */
    public void lacksReceipts(Fetch fetch) {
        withoutReceipts.set(clock.getAsLong());
        settle(fetch, false, false);
    }
}
