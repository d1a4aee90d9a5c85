package io.weir.app.start;

import com.codahale.metrics.MetricRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.access.HashedKeyRing;
import io.weir.admin.Reload;
import io.weir.admin.Reload.Cause;
import io.weir.admin.Reload.Result;
import io.weir.app.log.LogSetup;
import io.weir.config.ServerConfig;
import io.weir.config.WeirConfig;
import io.weir.config.load.ConfigChanges;
import io.weir.config.load.ConfigLoader.Loaded;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.plugin.PluginCatalogue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reload of the configuration file. The next configuration is built beside the running one and published at once; a wrong one
 * changes nothing. One thread does it all. Thread-safe.
 */
final class ConfigReload implements Reload, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigReload.class);

    /** The time of so many calls, one after the other, is left to the batches and the slow clients of a replaced network. */
    private static final int MAX_CALLS = 10;

    /** Between looks whether a replaced network is still used. */
    private static final long RETIRE_MILLIS = 500;

    /** Replaced networks that may finish their calls at the same time: each keeps its connections and memory meanwhile. */
    private static final int MAX_FINISHING = 100;

    /**
     * The time in which the nodes of new networks are looked for before a reload takes effect: several round trips around the world. Calls
     * of a network whose nodes take longer wait for them.
     */
    private static final long PROBE_WAIT_MILLIS = 500;

    private final ConfigFile file;
    private final Running running;
    private final Meters meters;
    private final ReloadThread thread;
    private volatile @Nullable Result last;
    /** In force. Confined to the thread. */
    private Loaded applied;
    /** Confined to the thread. */
    private HashedKeyRing keys;
    /** Of the files that were read last. Confined to the thread. */
    private FilesPrint known;
    /** Of the files at the last look. Confined to the thread. */
    private FilesPrint seen;
    /** The next look. Confined to the thread. */
    private @Nullable ScheduledFuture<?> looking;

    /** The parts of the running proxy that a reload changes, or must suit. Thread-safe. */
    record Running(
            CurrentGeneration current, LiveNetworks networks, PluginCatalogue plugins, Certificates certificates) {}

    /** @param keys of the first generation */
    ConfigReload(ConfigFile file, Loaded loaded, HashedKeyRing keys, Running running, Meters meters) {
        this.file = file;
        this.applied = loaded;
        this.keys = keys;
        this.running = running;
        this.meters = meters;
        this.thread = new ReloadThread(this::reload, this::abandon);
        for (Outcome outcome : Outcome.values()) {
            meters.counter(Meter.RELOADS, outcome.label());
        }
        meters.gauge(Meter.FINISHING_NETWORKS, running.networks()::finishing);
        this.known = FilesPrint.of(file.files());
        this.seen = known;
    }

    /** Begins to look at the files, if the configuration says so. The networks must serve already. */
    void watch() {
        thread.schedule(this::look, 0);
    }

    @Override
    public CompletionStage<Result> request(Cause cause) {
        return thread.request(cause);
    }

    @Override
    public @Nullable Result last() {
        return last;
    }

    private Result reload(Cause cause) {
        Result result;
        try {
            result = apply(cause);
        } catch (StartupException e) {
            result = refused(cause, e.problems());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result = refused(cause, List.of("reload: interrupted (expected: a proxy that runs)"));
        } catch (RuntimeException | Error e) {
            // Errors too, because whoever asked waits, and plugins check their settings here.
            OutOfMemory.check(e);
            LOG.warn("a reload failed", e);
            result = refused(cause, List.of(Failures.oneLine(e)));
        }
        last = result;
        return counted(result);
    }

    private Result abandon(Cause cause) {
        String problem = "reload: the proxy shuts down (expected: a proxy that runs)";
        return counted(new Result(Outcome.ABANDONED, cause, now(), ConfigChanges.NONE, List.of(problem)));
    }

    private Result counted(Result result) {
        meters.counter(Meter.RELOADS, result.outcome().label()).inc();
        log(result);
        return result;
    }

    private Result apply(Cause cause) throws StartupException, InterruptedException {
        Loaded next = reread();
        // Renewed files count whether or not a setting has changed. Their problems are in the log and in the status.
        running.certificates().reread();
        ConfigChanges changes = ConfigChanges.between(applied, next);
        if (changes.isEmpty()) {
            return new Result(Outcome.UNCHANGED, cause, now(), changes, List.of());
        }
        if (running.networks().finishing() >= MAX_FINISHING) {
            throw new StartupException(
                    List.of(
                            "reload: " + MAX_FINISHING
                                    + " replaced networks still finish their calls (expected: fewer; reload again after server.call-timeout)"));
        }
        publish(applied.reloaded(next));
        return new Result(Outcome.APPLIED, cause, now(), changes, List.of());
    }

    private Loaded reread() throws StartupException {
        List<Path> files = file.files();
        known = FilesPrint.of(files);
        try {
            return file.reread(applied.config(), running.plugins(), new Meters(new MetricRegistry()));
        } finally {
            if (!files.equals(file.files())) {
                known = FilesPrint.of(file.files());
            }
        }
    }

    /** Looks at the files at the next interval, and so on. A change that a look and the next one see alike reloads. */
    private void look() {
        if (looking != null) {
            looking.cancel(false);
            looking = null;
        }
        long millis = applied.config().reloadWatchMillis();
        if (millis > 0) {
            looking = thread.schedule(this::lookNow, millis);
        }
    }

    private void lookNow() {
        FilesPrint now = FilesPrint.of(file.files());
        if (!now.equals(known) && now.equals(seen)) {
            reload(Cause.FILES);
        }
        seen = now;
        look();
    }

    private void publish(Loaded next) throws StartupException, InterruptedException {
        WeirConfig config = next.config();
        LiveNetworks.Candidates candidates;
        try {
            candidates = running.networks().build(config.networks().values());
        } catch (IllegalArgumentException e) {
            throw new StartupException(List.of(Failures.oneLine(e)));
        }
        HashedKeyRing nextKeys;
        try {
            running.networks().start(candidates, PROBE_WAIT_MILLIS);
            nextKeys = keys.next(config.access());
        } catch (InterruptedException | RuntimeException | Error e) {
            running.networks().drop(candidates);
            throw e;
        }
        keys = nextKeys;
        running.current().publish(new Generation(config, keys, candidates.networks()));
        LogSetup.apply(config);
        applied = next;
        look();
        List<Network> replaced = running.networks().serve(candidates);
        if (!replaced.isEmpty()) {
            long millis = longestCallMillis(config.server());
            long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_CALLS * millis);
            thread.schedule(() -> retire(replaced, endNanos), millis);
        }
    }

    /** Closes the networks that have answered everything, and the others later, at the end at the latest. */
    private void retire(List<Network> replaced, long endNanos) {
        boolean over = System.nanoTime() - endNanos >= 0;
        List<Network> used = over
                ? List.of()
                : replaced.stream()
                        .filter(network -> network.bodies().taken() > 0)
                        .toList();
        List<Network> ended =
                replaced.stream().filter(network -> !used.contains(network)).toList();
        running.networks().retire(ended);
        if (!used.isEmpty()) {
            thread.schedule(() -> retire(used, endNanos), RETIRE_MILLIS);
        }
    }

    /** Returns the longest time from the admission of a request until its answer, of a WebSocket that is drained too. */
    private static long longestCallMillis(ServerConfig server) {
        return Math.max(server.requestTimeoutMillis(), server.drainMillis()) + server.callTimeoutMillis();
    }

    private static Result refused(Cause cause, List<String> problems) {
        return new Result(Outcome.REFUSED, cause, now(), ConfigChanges.NONE, List.copyOf(problems));
    }

    private static Instant now() {
        return Clock.systemUTC().instant();
    }

    private static void log(Result result) {
        ConfigChanges changes = result.changes();
        String cause = result.cause().label();
        switch (result.outcome()) {
            case APPLIED ->
                LOG.info(
                        "reload by {} applied: networks {}; keys {}; settings {}",
                        cause,
                        changes.networks(),
                        changes.keys(),
                        changes.settings());
            case REFUSED -> {
                int problems = result.problems().size();
                LOG.warn("reload by {} refused, the configuration stays: {} problem(s)", cause, problems);
                result.problems().forEach(problem -> LOG.warn("reload: {}", problem));
            }
            case ABANDONED -> LOG.info("reload by {} abandoned: the proxy shuts down", cause);
            default -> LOG.info("reload by {}: nothing changed", cause);
        }
        if (!changes.restart().isEmpty()) {
            LOG.warn("reload: these changes need a restart: {}", changes.restart());
        }
    }

    /** Waits for a reload that has begun, and abandons all others. */
    @Override
    public void close() {
        thread.close();
    }

    /**
     * The thread that reloads, one request after the other. A request that comes while another one waits shares its result. Each
     * request gets a result, at a shutdown too. Thread-safe.
     */
    static final class ReloadThread implements AutoCloseable {

        private final Function<Cause, Result> reload;
        private final Function<Cause, Result> abandon;
        private final AtomicReference<@Nullable Request> waiting = new AtomicReference<>();
        private final ScheduledThreadPoolExecutor thread;

        /** A request with its result to come. Immutable. */
        private record Request(Cause cause, CompletableFuture<Result> result) {}

        /**
         * @param reload returns the result of a reload; called on the thread
         * @param abandon returns the result of a reload that a shutdown prevents; called on any thread
         */
        ReloadThread(Function<Cause, Result> reload, Function<Cause, Result> abandon) {
            this.reload = reload;
            this.abandon = abandon;
            this.thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("weir-reload", true));
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }

        CompletionStage<Result> request(Cause cause) {
            Request mine = new Request(cause, new CompletableFuture<>());
            Request begun = waiting.compareAndExchange(null, mine);
            if (begun != null) {
                // It has not read the file yet, so that it will read what this request is about.
                return begun.result();
            }
            try {
                thread.execute(() -> OutOfMemory.run(() -> run(mine)));
            } catch (RejectedExecutionException e) {
                abandon(mine);
            }
            return mine.result();
        }

        private void run(Request request) {
            if (waiting.compareAndSet(request, null)) {
                request.result().complete(reload.apply(request.cause()));
            }
        }

        /** Ends a request, unless its reload has begun. */
        private void abandon(Request request) {
            if (waiting.compareAndSet(request, null)) {
                request.result().complete(abandon.apply(request.cause()));
            }
        }

        /** Runs a task on the thread, unless a shutdown comes first. */
        ScheduledFuture<?> schedule(Runnable task, long millis) {
            return thread.schedule(() -> OutOfMemory.run(task), millis, TimeUnit.MILLISECONDS);
        }

        /** Abandons the requests that wait and later ones, and waits for a reload that has begun. */
        @Override
        public void close() {
            thread.shutdown();
            // The executor has dropped its task, or drops one that is being added.
            Request left = waiting.get();
            if (left != null) {
                abandon(left);
            }
            try {
                if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                    LOG.warn("a reload did not end");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The digests of the contents of files. Times of files are not enough: orchestrators swap links, and editors write in steps. */
    record FilesPrint(List<String> contents) {

        /** More of a file cannot belong to a configuration. */
        private static final int MAX_BYTES = 4 << 20;

        /** Reads the files. One that cannot be read counts as such. */
        static FilesPrint of(List<Path> files) {
            return new FilesPrint(files.stream().map(FilesPrint::content).toList());
        }

        private static String content(Path file) {
            try (InputStream in = Files.newInputStream(file)) {
                return file + " " + HexFormat.of().formatHex(HashedKeyRing.sha256(in.readNBytes(MAX_BYTES)));
            } catch (IOException e) {
                return file + " cannot be read";
            }
        }
    }
}
