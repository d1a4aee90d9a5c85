package io.weir.cache.tier.bytes;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Small records under fixed names, of a tier itself: which name space is in use, and what it holds to. Thread-safe. */
public interface RecordStore {

    /**
     * What was found.
     *
     * @param bytes null where there is nothing, or it could not be read
     * @param failed whether it could not be read
     */
    record Found(byte @Nullable [] bytes, boolean failed) {

        /** There is nothing. */
        public static final Found NOTHING = new Found(null, false);

        /** It could not be read. */
        public static final Found FAILED = new Found(null, true);
    }

    /** Reads a record; the sink is called once, on any thread. */
    void readRecord(String name, Consumer<Found> sink);

    /** Writes a record; the sink hears whether it is there. */
    void writeRecord(String name, byte[] value, Consumer<Boolean> sink);

    /** Writes a record unless there is one; the sink gets what is there afterwards. */
    void claimRecord(String name, byte[] value, Consumer<Found> sink);

    /** Takes a record away, also where nothing can be written; the sink hears whether it is gone. */
    void eraseRecord(String name, Consumer<Boolean> sink);
}
