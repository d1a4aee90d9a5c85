package io.weir.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How tests wait for an event unless they say otherwise. They look at once, then in growing intervals: an event that comes soon costs no
 * time, and one that comes late costs few looks. They wait long enough for a machine that does other work as well.
 */
public final class Patience implements LauncherSessionListener {

    private static final Duration DEFAULT = Duration.ofSeconds(60);
    private static final Duration FIRST_INTERVAL = Duration.ofMillis(2);
    private static final Duration LAST_INTERVAL = Duration.ofMillis(100);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(DEFAULT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(Patience::next, FIRST_INTERVAL));
    }

    private static Duration next(Duration interval) {
        Duration longer = interval.multipliedBy(3).dividedBy(2);
        return longer.compareTo(LAST_INTERVAL) < 0 ? longer : LAST_INTERVAL;
    }
}
