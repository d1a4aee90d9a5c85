package io.weir.pipeline;

/** An answer for which other calls may wait besides the one that gets it from a node. Thread-safe. */
public interface SharedAnswer {

    /**
     * Returns whether the answer may go on while it arrives, whoever waits for it. If calls do not share streams, no other call waits
     * from then on.
     */
    boolean mayStream();
}
