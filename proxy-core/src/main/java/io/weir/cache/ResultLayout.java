package io.weir.cache;

/** Where the parts of a result stand, so that they can be cut out of its bytes. Immutable. */
public interface ResultLayout {

    /** What it takes in memory. */
    int weightBytes();
}
