package io.weir.pipeline;

import io.weir.upstream.NodeOutcome;

/** Observer of the attempts of one call. Confined to the call's event loop. */
@FunctionalInterface
public interface AttemptObserver {

    /** Handles the outcome of an attempt, before it is decided whether another node is asked. */
    void ended(String upstreamId, NodeOutcome outcome);
}
