package io.weir.pipeline.cache;

import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of one network that are under way, by their block's hash or height, and the transactions of their blocks. Both are
 * bounded. Thread-safe.
 */
final class Fetches {

    static final int MAX = 1_000;

    /** The largest number of transactions of blocks that are being fetched. */
    static final int MAX_TRANSACTIONS = 100_000;

    private final ConcurrentHashMap<String, Fetch> blocks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Fetch> receipts = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, BlockNames> transactions = new ConcurrentHashMap<>();
    private final Arrivals arrivals;

    /**
     * No fetches.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
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

    /** Returns the fetches that no node has answered. */
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
