package io.weir.pipeline.prefetch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of one network that are under way, by their block's hash or height, and which of their blocks a transaction is in,
 * within bounds: those beyond them nobody waits for. Thread-safe.
 */
final class Fetches {

    static final int MAX = 1_000;

    /** Transactions of blocks that are on their way into memory. */
    static final int MAX_TRANSACTIONS = 100_000;

    private final ConcurrentHashMap<String, Fetch> blocks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Fetch> receipts = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, String> transactions = new ConcurrentHashMap<>();

    /** The name of the block at a height. */
    static String height(long number) {
        return "#" + number;
    }

    private ConcurrentHashMap<String, Fetch> table(boolean ofReceipts) {
        return ofReceipts ? receipts : blocks;
    }

    /** The fetch of a block under one of its names, or null. */
    @Nullable
    Fetch find(boolean ofReceipts, List<String> names) {
        for (String name : names) {
            Fetch fetch = table(ofReceipts).get(name);
            if (fetch != null) {
                return fetch;
            }
        }
        return null;
    }

    /** The block on its way that a transaction is in, by its hash; null where there is none. */
    @Nullable
    String blockOf(String transaction) {
        return transactions.get(transaction);
    }

    /** Begins a fetch; null where there is one, or there is no room. */
    @Nullable
    Fetch open(boolean ofReceipts, String name, boolean own) {
        if (table(ofReceipts).size() >= MAX) {
            return null;
        }
        Fetch fetch = new Fetch(ofReceipts, own);
        fetch.name(name);
        return table(ofReceipts).putIfAbsent(name, fetch) == null ? fetch : null;
    }

    /** Notes what arrived, so that who asks for a part of it finds it. */
    void arrived(Fetch fetch, String hash, long number, List<String> hashes) {
        List<String> noted = new ArrayList<>();
        for (String name : List.of(hash, height(number))) {
            if (table(fetch.isReceipts()).putIfAbsent(name, fetch) == null) {
                fetch.name(name);
            }
        }
        if (transactions.size() + hashes.size() <= MAX_TRANSACTIONS) {
            for (String transaction : hashes) {
                if (transactions.putIfAbsent(transaction, hash) == null) {
                    noted.add(transaction);
                }
            }
        }
        fetch.arrive(noted);
        if (fetch.isEnded()) {
            forget(fetch);
        }
    }

    /** Ends a fetch; whether it had not ended before. */
    boolean settle(Fetch fetch, boolean kept) {
        boolean first = fetch.settle(kept);
        if (first) {
            forget(fetch);
        }
        return first;
    }

    private void forget(Fetch fetch) {
        fetch.names().forEach(name -> table(fetch.isReceipts()).remove(name, fetch));
        fetch.transactions().forEach(transactions::remove);
    }

    /** How many are under way. */
    int size() {
        return blocks.size() + receipts.size() + transactions.size();
    }
}
