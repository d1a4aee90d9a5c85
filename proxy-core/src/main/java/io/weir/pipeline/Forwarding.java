package io.weir.pipeline;

import io.weir.upstream.UpstreamPool;

/** Makes the stages that send calls to nodes, in the one way in which outcomes become replies. Thread-safe. */
@FunctionalInterface
public interface Forwarding {

    /**
     * A stage over these nodes.
     *
     * @param repeatable whether a call that may have been carried out may be sent again
     */
    Stage over(UpstreamPool pool, boolean repeatable);
}
