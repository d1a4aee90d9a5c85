package io.weir.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs one test method, given as {@code class#method}, in a JVM of its own: with {@code JAZZER_FUZZ=1} in the environment a fuzz
 * test looks for new inputs, one to a JVM. Confined to the main thread.
 */
public final class FuzzRun {

    private FuzzRun() {}

    /** Ends with 0 where it ran and failed nowhere. */
    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(arguments[0]))
                // Off for the rest of the tests, which only run what is kept: coverage, by which new inputs are found.
                .configurationParameter("jazzer.hooks", "true")
                .configurationParameter("jazzer.instrument", "io.weir.**")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.err, true), 30);
        System.exit(summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0 ? 0 : 1);
    }
}
