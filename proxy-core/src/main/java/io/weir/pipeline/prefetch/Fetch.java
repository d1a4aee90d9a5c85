package io.weir.pipeline.prefetch;

import io.netty.channel.EventLoop;
import io.weir.pipeline.watch.LoopWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole block, or all receipts of one, on their way into memory: asked of a node, then verified, then there or not. Those who
 * need a part of it wait. Thread-safe.
 */
public final class Fetch {

    private final boolean receipts;
    private final boolean own;
    private final List<String> names = new ArrayList<>(2);
    private final List<String> transactions = new ArrayList<>();
    private List<LoopWaiter<Boolean>> waiters = new ArrayList<>(0);
    private boolean arrived;
    private @Nullable Boolean kept;

    /**
     * Begins one.
     *
     * @param receipts whether it is receipts
     * @param own whether the proxy asks, and not a client for just this
     */
    Fetch(boolean receipts, boolean own) {
        this.receipts = receipts;
        this.own = own;
    }

    /** Whether it is receipts, and not a block. */
    public boolean isReceipts() {
        return receipts;
    }

    /** Whether the proxy asks, and not a client for just this. */
    public boolean isOwn() {
        return own;
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

    /** Whether a node has not answered yet. */
    public synchronized boolean isAsked() {
        return !arrived && kept == null;
    }

    /** Whether it has ended. */
    synchronized boolean isEnded() {
        return kept != null;
    }

    /**
     * Has somebody wait for the end; called on the loop.
     *
     * @param most nanoseconds to wait
     * @param sink gets whether it is in memory, on the loop
     * @return false where it has ended
     */
    boolean join(EventLoop loop, long most, Consumer<Boolean> sink) {
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, sink);
        synchronized (this) {
            if (kept != null) {
                return false;
            }
            waiters.add(waiter);
        }
        waiter.giveUpAfter(most, false);
        return true;
    }

    /** Ends it; whether it had not ended before. */
    boolean settle(boolean isKept) {
        List<LoopWaiter<Boolean>> ending;
        synchronized (this) {
            if (kept != null) {
                return false;
            }
            kept = isKept;
            ending = waiters;
            waiters = List.of();
        }
        ending.forEach(waiter -> waiter.end(isKept));
        return true;
    }
}
