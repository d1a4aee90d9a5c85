package io.weir.pipeline;

import io.weir.upstream.UpstreamPool;

/** Factory of the stages that send calls to nodes, so that outcomes become replies by one rule. Thread-safe. */
@FunctionalInterface
public interface Forwarding {

    /**
     * Returns a stage over these nodes.
     *
     * @param repeatable whether a call that may have been executed may be sent again
     */
    Stage over(UpstreamPool pool, boolean repeatable);
}
