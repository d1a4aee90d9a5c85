package io.weir.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** The time that tests wait for an event unless they say another: long enough for a machine that does other work as well. */
public final class Patience implements LauncherSessionListener {

    private static final Duration DEFAULT = Duration.ofSeconds(60);
    /** Between the first looks for the event. Most events have happened already or come at once. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private static final Duration MAX_PAUSE = Duration.ofMillis(100);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(DEFAULT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(Patience::next, FIRST_PAUSE));
    }

    private static Duration next(Duration pause) {
        Duration longer = pause.plus(pause);
        return longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE;
    }
}
