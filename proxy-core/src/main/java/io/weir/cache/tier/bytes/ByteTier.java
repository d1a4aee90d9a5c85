package io.weir.cache.tier.bytes;

import io.weir.cache.tier.entry.EntryName;
import java.util.function.Consumer;

/** Where entries are kept outside memory. Nothing here waits for anything but {@link #put}. Thread-safe. */
public interface ByteTier extends RecordStore, AutoCloseable {

    /** What meters and the status page call it. */
    String name();

    /** Whether others write to it too, whose word proves nothing. */
    boolean shared();

    /** Whether it is of any use to ask it now. */
    boolean isUp();

    /** How it is, in a few words without secrets. */
    String state();

    /** Makes ready what takes time; called once, on the thread that {@link #put} is called on. */
    void begin();

    /** Looks for an entry; the sink is called once, on any thread, at once where there is surely none. */
    void get(EntryName name, Consumer<Found> sink);

    /** Notes that what it gave for a name was damaged. */
    void damaged(EntryName name);

    /**
     * Keeps an entry. Called on one thread, and may block it for a moment.
     *
     * @param sink hears once, on any thread, whether it is kept
     */
    void put(EntryName name, byte[] entry, Consumer<Boolean> sink);

    /** Entries that it holds; -1 where it does not know. */
    long entries();

    /** Bytes that it takes; -1 where it does not know. */
    long bytes();

    @Override
    void close();
}
