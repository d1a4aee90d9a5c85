package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A running proxy before one node whose answers a test scripts, with the meters of streams. Thread-safe. */
final class StreamingProxy implements AutoCloseable {

    /** The default of {@code networks.X.streams.window}. */
    private static final double WINDOW = 1 << 20;

    /** What the node answers to the next calls. */
    volatile ScriptedAnswers.Script script = (call, out) -> {};

    final ScriptedAnswers node;
    final WeirProcess weir;

    StreamingProxy(String... settings) throws IOException {
        node = new ScriptedAnswers((call, out) -> script.answer(call, out));
        ConfigurationText text =
                ConfigurationText.of("main", "1").upstream("a", node.url()).networkSetting("ejection.faults = 0");
        for (String setting : settings) {
            text.setting(setting);
        }
        weir = WeirProcess.start(text.text());
        await().until(() -> weir.admin().readyStatus() == 200);
    }

    /** Returns how many answers went on while they arrived. */
    double streamed() {
        return weir.admin().metric("weir_upstream_streamed_total");
    }

    /** Returns how many of them broke off. */
    double brokenOff() {
        return weir.admin().metric("weir_upstream_broken_off_total");
    }

    /** Waits until the answer of a client that reads nothing is given up, and checks meanwhile that little of it is held. */
    void assertHoldsLittleUntil(BooleanSupplier givenUp) {
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") > 0);
        await().until(() -> {
            // The window of a shared stream, and what is on its way into the client's socket.
            assertThat(weir.admin().metric("weir_bytes_in_flight")).isLessThan(2 * WINDOW);
            return givenUp.getAsBoolean();
        });
    }

    void assertNothingInFlight() {
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        await().until(() -> weir.admin().metric("weir_calls_in_flight") == 0);
        await().until(() -> weir.admin().metric("weir_upstream_in_flight") == 0);
    }

    /** Waits as a part of a script. */
    static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            weir.close();
        } finally {
            node.close();
        }
    }
}
