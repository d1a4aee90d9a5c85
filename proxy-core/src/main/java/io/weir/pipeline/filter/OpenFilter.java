package io.weir.pipeline.filter;

import io.weir.access.Holding;

/** Filter of a client, wherever its changes come from. Thread-safe. */
public interface OpenFilter {

    /** Returns the part of the limits that it holds, and who created it. */
    Holding holding();

    /**
     * Handles its end. Called once, on any thread.
     *
     * @param id the proxy's id of it
     * @param idle whether it ended because no call used it
     */
    void ended(String id, boolean idle);
}
