package io.weir.pipeline.range;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.CallContext;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Store of the runs of proven headers behind memory, and of what is known about them. Thread-safe. */
public interface HeaderStore {

    /** Returns whether anything outlasts a restart. */
    boolean isUsed();

    /**
     * Looks a run up.
     *
     * @param last the number of its last block
     * @param opener proves it; runs off the event loop; returns null if it is refused
     * @param sink gets the run on the call's event loop; null if there is none
     */
    <T> void find(
            long run,
            long last,
            CallContext context,
            Function<RawJson, @Nullable T> opener,
            Consumer<@Nullable T> sink);

    /**
     * Stores a run soon, or drops it.
     *
     * @param last the number of its last block
     * @param hash of its last block
     */
    void offer(long run, long last, String hash, RawJson text);

    /** Returns whether memory has the receipts of a block, which are stored once it is final. */
    boolean hasReceipts(String hash);

    /**
     * Reads a note.
     *
     * @param loop an event loop of the network's calls
     * @param sink gets it on any thread; empty if there is none, null if it cannot be read now
     */
    void readNote(EventLoop loop, Consumer<@Nullable String> sink);

    /** Writes a note in place of the one before. The sink gets, on any thread, whether it is written. */
    void writeNote(String note, Consumer<Boolean> sink);
}
