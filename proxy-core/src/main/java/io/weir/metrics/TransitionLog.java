package io.weir.metrics;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log of the changes of one part's state, one line each. Thread-safe. */
public final class TransitionLog {

    private static final Logger LOG = LoggerFactory.getLogger(TransitionLog.class);

    private final String part;
    private final String consequence;
    private String logged;

    /**
     * @param part named at the beginning of each line
     * @param consequence of a state in which the part does not work
     * @param state the initial state, which is not logged
     */
    public TransitionLog(String part, String consequence, String state) {
        this.part = part;
        this.consequence = consequence;
        this.logged = state;
    }

    /** Creates the log of a tier of the cache. */
    public static TransitionLog ofTier(String tier, String state) {
        return new TransitionLog("the " + tier + " tier of the cache", "calls go on without it", state);
    }

    /**
     * Notes a state.
     *
     * @param good whether the part works in it
     */
    public synchronized void note(String state, boolean good) {
        if (state.equals(logged)) {
            return;
        }
        logged = state;
        if (good) {
            LOG.info("{}: {}", part, state);
        } else {
            LOG.warn("{}: {}; {}", part, state, consequence);
        }
    }

    public synchronized void event(String what) {
        LOG.warn("{}: {}", part, what);
    }
}
