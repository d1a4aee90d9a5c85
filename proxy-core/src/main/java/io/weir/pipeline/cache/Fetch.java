package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.upstream.LoopWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fetch of a whole block, or of all its receipts: sent to a node, answered, verified, then stored or refused. Calls for a part of
 * it wait for its end. Thread-safe.
 */
final class Fetch {

    private final boolean receipts;
    private final boolean own;
    private final String selector;
    private final List<String> names = new ArrayList<>(2);
    private final List<String> transactions = new ArrayList<>();
    private List<LoopWaiter<Boolean>> waiters = new ArrayList<>(0);
    private boolean arrived;
    private @Nullable Boolean stored;

    /**
     * Begins a fetch that no node has answered.
     *
     * @param receipts whether it fetches receipts, not a block
     * @param own whether the proxy sends the call, not a client
     * @param selector the parameter of that call that names the block
     */
    Fetch(boolean receipts, boolean own, String selector) {
        this.receipts = receipts;
        this.own = own;
        this.selector = selector;
    }

    boolean isReceipts() {
        return receipts;
    }

    boolean isOwn() {
        return own;
    }

    String selector() {
        return selector;
    }

    synchronized void name(String name) {
        names.add(name);
    }

    synchronized List<String> names() {
        return List.copyOf(names);
    }

    synchronized void arrive(List<String> hashes) {
        arrived = true;
        transactions.addAll(hashes);
    }

    synchronized List<String> transactions() {
        return List.copyOf(transactions);
    }

    /** Returns whether no node has answered yet. */
    synchronized boolean isAsked() {
        return !arrived && stored == null;
    }

    /** Returns whether it has ended. */
    synchronized boolean isEnded() {
        return stored != null;
    }

    /**
     * Waits for the end; called on the loop.
     *
     * @param most the longest wait, in nanoseconds
     * @param sink gets on the loop whether it was stored; false after the longest wait
     * @return false if it has already ended; then the sink gets nothing
     */
    boolean join(EventLoop loop, long most, Consumer<Boolean> sink) {
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, sink);
        synchronized (this) {
            if (stored != null) {
                return false;
            }
            waiters.add(waiter);
        }
        waiter.giveUpAfter(most, false);
        return true;
    }

    /** Ends it; returns whether it had not ended before. */
    boolean settle(boolean isStored) {
        List<LoopWaiter<Boolean>> ending;
        synchronized (this) {
            if (stored != null) {
                return false;
            }
            stored = isStored;
            ending = waiters;
            waiters = List.of();
        }
        ending.forEach(waiter -> waiter.end(isStored));
        return true;
    }

    /**
     * The names of one block: at least one of hash and height. Immutable.
     *
     * @param hash in lower case; null if it is not known
     * @param number the height; -1 if it is not known
     * @param byHeight whether nodes are asked for the block at that height, and not for the hash
     */
    record BlockNames(@Nullable String hash, long number, boolean byHeight) {

        static String height(long number) {
            return "#" + number;
        }

        /** Returns the name of the block's fetch: the hash if it is known, else the height. */
        String first() {
            return hash == null ? height(number) : hash;
        }

        /** Returns every name, the hash first. */
        List<String> all() {
            if (hash == null) {
                return List.of(height(number));
            }
            return number < 0 ? List.of(hash) : List.of(hash, height(number));
        }

        /** Returns the parameter that asks a node for the block. */
        String selector() {
            return byHeight || hash == null ? "0x" + Long.toHexString(number) : hash;
        }
    }
}
