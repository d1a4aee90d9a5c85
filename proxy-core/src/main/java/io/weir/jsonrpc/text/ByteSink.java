package io.weir.jsonrpc.text;

/** Where written JSON goes, piece by piece. Confined to the writing thread. */
@FunctionalInterface
public interface ByteSink {

    /**
     * Takes the next bytes. Nobody writes to the array any more, and the sink may not either: it may keep the range instead
     * of copying it.
     */
    void write(byte[] array, int offset, int length);

    /** Takes a whole array. */
    default void write(byte[] array) {
        write(array, 0, array.length);
    }
}
