package io.weir.pipeline;

/** An answer for which other calls may wait besides the one that gets it from a node. Thread-safe. */
public interface SharedAnswer {

    /** Lets no other call wait for it any more. Returns false and does nothing if one waits already. */
    boolean endSharing();
}
