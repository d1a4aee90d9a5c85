package io.weir.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** The time that tests wait for an event unless they say another: long enough for a machine that does other work as well. */
public final class Patience implements LauncherSessionListener {

    private static final Duration DEFAULT = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(DEFAULT);
    }
}
