package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Signals;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HangupTest {

    private final AtomicInteger reactions = new AtomicInteger();

    @Test
    void aSignalDuringTheStartWaitsForTheReaction() {
        Hangup hangup = Hangup.watch();
        hangup.received();
        hangup.received();
        assertThat(reactions).hasValue(0);
        hangup.reactBy(reactions::incrementAndGet);
        assertThat(reactions).hasValue(1);
        hangup.received();
        assertThat(reactions).hasValue(2);
    }

    @Test
    void theSignalOfTheSystemDoesNotEndTheProcess() throws Exception {
        Signals.assumeHangUpArrives();
        Hangup.watch().reactBy(reactions::incrementAndGet);
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal.getMethod("raise", signal)
                .invoke(null, signal.getConstructor(String.class).newInstance("HUP"));
        await().until(() -> reactions.get() == 1);
    }
}
