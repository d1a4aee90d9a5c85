package io.weir.cache;

/** Positions of the parts of a result, for taking slices from its bytes. Immutable. */
public interface ResultLayout {

    /** Returns its bytes in memory. */
    int weightBytes();
}
