package io.weir.bench.subscription.chain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of a chain that clients are told of. Thread-safe. */
public abstract class Block {

    private final long number;
    private final String hash;
    private final int event;
    private final long addedNanos;
    private volatile @Nullable Block parent;
    private volatile @Nullable String head;
    private volatile @Nullable List<ChainLog> logs;

    Block(long number, String hash, int event, @Nullable Block parent) {
        this.number = number;
        this.hash = hash;
        this.event = event;
        this.parent = parent;
        this.addedNanos = System.nanoTime();
    }

    abstract String makeHead();

    abstract List<ChainLog> makeLogs();

    /** Returns one of its logs as nodes show it. */
    abstract String json(ChainLog log, boolean removed);

    public long number() {
        return number;
    }

    public String hash() {
        return hash;
    }

    /** Returns the position in the history of the chain: nodes that follow the chain up to it know the block. */
    public int event() {
        return event;
    }

    /** Returns when the block was made, on the clock of {@link System#nanoTime}. */
    public long addedNanos() {
        return addedNanos;
    }

    /** Returns the block before; null for the first one and for those that the chain has forgotten. */
    public @Nullable Block parent() {
        return parent;
    }

    void forgetParent() {
        parent = null;
    }

    /** Returns the header with its hash, as geth announces it. */
    public String head() {
        String known = head;
        if (known == null) {
            known = makeHead();
            head = known;
        }
        return known;
    }

    /** Returns the logs in their order. */
    public List<ChainLog> logs() {
        List<ChainLog> known = logs;
        if (known == null) {
            known = List.copyOf(makeLogs());
            logs = known;
        }
        return known;
    }

    /** Returns whether this is the other block or descends from it. */
    public boolean descendsFrom(Block other) {
        Block at = this;
        while (at != null && at.number() > other.number()) {
            at = at.parent();
        }
        return other.equals(at);
    }

    @Override
    public String toString() {
        return number + "/" + hash.substring(0, 10);
    }
}
