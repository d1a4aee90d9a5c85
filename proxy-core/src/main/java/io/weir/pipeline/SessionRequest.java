package io.weir.pipeline;

/** Request that came over a session. Confined to the session's event loop. */
public interface SessionRequest {

    /** Returns the session. */
    ClientSession session();

    /**
     * Registers an action that runs once the whole answer to the request was written, before any later event of the session.
     * It never runs if the session closes before.
     */
    void afterAnswer(Runnable action);
}
