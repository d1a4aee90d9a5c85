package io.weir.cache.tier;

import io.weir.cache.tier.TierEntry.EntryName;
import java.util.function.Consumer;

/** Storage of entries outside memory. Only {@link #put} may block. Thread-safe. */
public interface ByteTier extends RecordStore, AutoCloseable {

    /** Returns the name in metrics and on the status page. */
    String name();

    /** Returns whether others write to it too, so that its content proves nothing. */
    boolean shared();

    /** Returns whether it can be used now. */
    boolean isUp();

    /** Returns its state, in a few words without secrets. */
    String state();

    /** Does the slow preparations; called once, on the thread of {@link #put}. */
    void begin();

    /** Looks up an entry. The sink is called once, on any thread, and at once if there is certainly none. */
    void get(EntryName name, Consumer<ReadResult> sink);

    /** Removes the entry with this name, because it is damaged or no longer trusted, so that another can take its place. */
    void discard(EntryName name);

    /**
     * Stores an entry. Called on one thread, and may block it for a moment.
     *
     * @param sink receives once, on any thread, whether it is stored
     */
    void put(EntryName name, byte[] entry, Consumer<Boolean> sink);

    /** Returns the number of entries; -1 if unknown. */
    long entries();

    /** Returns the bytes in use; -1 if unknown. */
    long bytes();

    @Override
    void close();
}
