package io.weir.pipeline;

/** Request that came over a session. Confined to the session's event loop. */
public interface SessionRequest {

    ClientSession session();

    /**
     * Binds the session to the network of this request, because the request subscribes. Later requests stay at that network too. If a
     * reload replaces it, now or later, or did so since the request was admitted, the session is drained.
     */
    void bind();

    /**
     * Registers an action that runs once the whole answer to the request was written, before any later event of the session.
     * It never runs if the session closes before.
     */
    void afterAnswer(Runnable action);
}
