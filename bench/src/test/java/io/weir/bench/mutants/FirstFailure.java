package io.weir.bench.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes one after another and ends the JVM at the first failure. Writes lines to a file, since tests may print: the
 * test class, a tab, and what happened. Thread-safe.
 */
final class FirstFailure implements TestExecutionListener {

    private final Path report;
    private volatile String testClass = "";

    private FirstFailure(Path report) {
        this.report = report;
    }

    /** Takes the file, a number of seconds and the classes. Each class may take this time; after it no other class begins. */
    public static void main(String[] args) {
        FirstFailure run = new FirstFailure(Path.of(args[0]));
        long seconds = Long.parseLong(args[1]);
        long start = System.nanoTime();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        for (String name : Arrays.asList(args).subList(2, args.length)) {
            if (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds)) {
                run.testClass = name;
                run.tell("ended the JVM");
                Future<?> limit = timer.schedule(() -> run.end(TestedModule.SLOW), seconds, TimeUnit.SECONDS);
                LauncherFactory.create()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(selectClass(name))
                                        .build(),
                                run);
                limit.cancel(false);
            }
        }
        run.end(TestedModule.PASSED);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.FAILED) {
            end(test.getDisplayName().replace('\n', ' '));
        }
    }

    /** Ends this JVM and the processes that its tests started. */
    private synchronized void end(String event) {
        tell(event);
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(0);
    }

    private synchronized void tell(String event) {
        try {
            String line = testClass + "\t" + event + "\n";
            Files.writeString(report, line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
