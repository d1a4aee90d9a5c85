package io.weir.pipeline;

/**
 * Look into memory by a call that is about to ask a node for all equal calls. Since its first look, an equal call may have
 * ended, and its answer may have entered memory. Confined to the call's event loop.
 */
@FunctionalInterface
public interface SecondLook {

    /**
     * Answers the call from memory, or has a node asked.
     *
     * @param sink takes the answer from memory
     * @param ask passes the call on towards a node
     */
    void look(ReplySink sink, Runnable ask);
}
