package io.weir.pipeline.filter;

import io.weir.access.ContractBound;
import io.weir.access.Holding;
import org.jspecify.annotations.Nullable;

/** Filter of a client, wherever its changes come from. Thread-safe. */
public interface OpenFilter {

    /** Returns the name of the key that created it. */
    String caller();

    /** Returns the part of the limits that it holds. */
    Holding holding();

    /** Returns the contracts that its key might reach when it was created; null if all. */
    @Nullable
    ContractBound contracts();

    /**
     * Handles its end. Called once, on any thread.
     *
     * @param id the proxy's id of it
     * @param idle whether it ended because no call used it
     */
    void ended(String id, boolean idle);
}
