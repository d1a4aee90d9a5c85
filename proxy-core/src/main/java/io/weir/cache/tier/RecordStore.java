package io.weir.cache.tier;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Small records of a tier under fixed names: the name space in use, and its anchor. Thread-safe. */
public interface RecordStore {

    /**
     * Result of reading. Immutable.
     *
     * @param bytes null if there is nothing, or it could not be read
     * @param failed whether it could not be read
     */
    record ReadResult(byte @Nullable [] bytes, boolean failed) {

        /** There is nothing. */
        public static final ReadResult NOTHING = new ReadResult(null, false);

        /** It could not be read. */
        public static final ReadResult FAILED = new ReadResult(null, true);
    }

    /** Reads a record. The sink is called once, on any thread. */
    void readRecord(String name, Consumer<ReadResult> sink);

    /** Writes a record. The sink receives whether it was written. */
    void writeRecord(String name, byte[] value, Consumer<Boolean> sink);

    /** Writes a record that expires after a time, if others can read it until then. */
    default void writeRecord(String name, byte[] value, long millis, Consumer<Boolean> sink) {
        sink.accept(false);
    }

    /** Writes a record unless there is one. The sink receives the record that is there afterwards. */
    void claimRecord(String name, byte[] value, Consumer<ReadResult> sink);

    /** Removes a record, even if nothing can be written. The sink receives whether it is gone. */
    void eraseRecord(String name, Consumer<Boolean> sink);
}
