package io.weir.plugin;

import io.weir.api.ChainClient;
import io.weir.api.PluginContext;
import io.weir.api.PluginMeters;
import io.weir.metrics.MeterGroup;
import io.weir.metrics.Meters;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginChainClient;
import io.weir.plugin.call.PluginRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The resources that the host gives to one plugin, released on close. Thread-safe. */
final class HostContext implements PluginContext, AutoCloseable {

    private final PluginSettings settings;
    private final PluginRuntime runtime;
    private final ConfiguredNames names;
    private final Path dataFolder;
    private final MeterGroup group;
    private final PluginMeters meters;
    private final PluginTimer timer;
    private final ChainClient chain;

    /**
     * @param data the folder that contains the plugins' data folders
     * @param callMillis time limit for a call of the plugin itself
     */
    HostContext(
            PluginRuntime runtime,
            PluginSettings settings,
            ConfiguredNames names,
            Path data,
            Meters meters,
            NetworkAccess networks,
            long callMillis) {
        this.settings = settings;
        this.runtime = runtime;
        this.names = names;
        this.dataFolder = data.resolve(runtime.pluginId()).toAbsolutePath().normalize();
        this.group = meters.group("plugin_" + runtime.pluginId().replace('-', '_'));
        this.meters = new HostMeters();
        this.timer = new PluginTimer();
        long callNanos = TimeUnit.MILLISECONDS.toNanos(callMillis);
        this.chain = new PluginChainClient(runtime, networks, null, () -> System.nanoTime() + callNanos);
    }

    @Override
    public String pluginId() {
        return runtime.pluginId();
    }

    @Override
    public <R extends Record> R settings(Class<R> type) {
        return settings.read(type);
    }

    /** Creates the folder on first use, readable by the proxy's user only. */
    @Override
    public synchronized Path dataFolder() {
        if (!Files.isDirectory(dataFolder)) {
            // On Windows a new folder inherits the permissions of its parent.
            boolean posix =
                    dataFolder.getFileSystem().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] privateToUser = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];
            try {
                Files.createDirectories(dataFolder, privateToUser);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "data folder: " + dataFolder + " (expected: a folder that can be made)", e);
            }
        }
        return dataFolder;
    }

    @Override
    public PluginMeters meters() {
        return meters;
    }

    @Override
    public ScheduledExecutorService scheduler() {
        return timer.scheduler();
    }

    @Override
    public Executor executor() {
        return runtime.bulkhead();
    }

    @Override
    public Set<String> callerNames() {
        return names.callers();
    }

    @Override
    public Set<String> networkNames(String kind) {
        return names.networksByKind().getOrDefault(kind, Set.of());
    }

    @Override
    public ChainClient chain() {
        return chain;
    }

    @Override
    public void close() {
        timer.close();
        group.close();
        runtime.close();
    }

    /**
     * One plugin's scheduler. It has a thread of its own, created on first use, so that a hanging task blocks no other
     * plugin. Thread-safe.
     */
    private final class PluginTimer implements AutoCloseable {

        private @Nullable ScheduledExecutorService scheduler;
        private boolean closed;

        synchronized ScheduledExecutorService scheduler() {
            if (scheduler == null) {
                ScheduledExecutorService made =
                        Executors.unconfigurableScheduledExecutorService(new LoggingScheduler());
                if (closed) {
                    made.shutdownNow();
                }
                scheduler = made;
            }
            return scheduler;
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (scheduler != null) {
                scheduler.shutdownNow();
            }
        }

        /**
         * A scheduler that logs failed tasks. The JDK's scheduler keeps failures in futures that may never be read.
         * Thread-safe.
         */
        private final class LoggingScheduler extends ScheduledThreadPoolExecutor {

            LoggingScheduler() {
                super(1, task -> {
                    Thread thread = new Thread(null, task, "weir-plugin-" + pluginId() + "-timer", 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
                setRemoveOnCancelPolicy(true);
            }

            @Override
            protected void afterExecute(Runnable task, @Nullable Throwable failure) {
                if (failure == null && task instanceof Future<?> future && future.isDone()) {
                    try {
                        future.get();
                    } catch (ExecutionException e) {
                        runtime.log().failed("a scheduled task", Objects.requireNonNullElse(e.getCause(), e));
                    } catch (CancellationException ignored) {
                        // Its plugin cancelled it.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
        }
    }

    /** A plugin's meters, as a group of the host's. Thread-safe. */
    private final class HostMeters implements PluginMeters {

        @Override
        public Counter counter(String name, String help) {
            com.codahale.metrics.Counter counter = group.counter(name, help);
            return events -> {
                if (events < 0) {
                    throw new IllegalArgumentException("events: " + events + " (expected: >= 0)");
                }
                counter.inc(events);
            };
        }

        @Override
        public void gauge(String name, String help, LongSupplier value) {
            group.gauge(name, help, () -> read(name, value));
        }

        /** A gauge of one plugin that throws must not break the metrics of all others. */
        private long read(String name, LongSupplier value) {
            try {
                return value.getAsLong();
            } catch (Throwable e) {
                runtime.log().failed("the gauge " + name, e);
                return -1;
            }
        }

        @Override
        public Timer timer(String name, String help) {
            com.codahale.metrics.Timer timer = group.timer(name, help);
            return timer::update;
        }
    }
}
