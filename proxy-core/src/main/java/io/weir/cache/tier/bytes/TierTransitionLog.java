package io.weir.cache.tier.bytes;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log of the changes of one tier's state, one line each. Thread-safe. */
public final class TierTransitionLog {

    private static final Logger LOG = LoggerFactory.getLogger(TierTransitionLog.class);

    private final String tier;
    private String logged;

    /**
     * Creates the log.
     *
     * @param state the initial state, which is not logged
     */
    public TierTransitionLog(String tier, String state) {
        this.tier = tier;
        this.logged = state;
    }

    /**
     * Notes a state.
     *
     * @param good whether the tier works in it
     */
    public synchronized void note(String state, boolean good) {
        if (state.equals(logged)) {
            return;
        }
        logged = state;
        if (good) {
            LOG.info("the {} tier of the cache: {}", tier, state);
        } else {
            LOG.warn("the {} tier of the cache: {}; calls go on without it", tier, state);
        }
    }

    /** Logs an event. */
    public synchronized void event(String what) {
        LOG.warn("the {} tier of the cache: {}", tier, what);
    }
}
