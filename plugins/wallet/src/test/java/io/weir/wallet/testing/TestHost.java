package io.weir.wallet.testing;

import io.weir.api.ChainClient;
import io.weir.api.PluginContext;
import io.weir.api.PluginMeters;
import io.weir.testing.SettingsText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/** What the proxy gives to the plugin. Thread-safe. */
public final class TestHost implements PluginContext, AutoCloseable {
    /** Reading takes longer than a whole history of a model. */
    private static final Map<String, Record> SETTINGS = new ConcurrentHashMap<>();

    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final Runnable closing;
    private final Path folder;
    private final ChainClient chain;
    private final String settings;

    /**
     * Makes a host.
     *
     * @param settings what differs from the defaults
     */
    public TestHost(Path folder, ChainClient chain, String settings) {
        this(folder, chain, settings, Executors.newFixedThreadPool(8), Executors.newSingleThreadScheduledExecutor());
    }

    private TestHost(
            Path folder, ChainClient chain, String settings, ExecutorService executor, ScheduledExecutorService timer) {
        this(folder, chain, settings, executor, timer, () -> {
            timer.shutdownNow();
            executor.shutdownNow();
        });
    }

    /** A host that does everything at once, on the test's thread, but for what is scheduled. */
    public static TestHost byHand(Path folder, ChainClient chain, String settings, HandScheduler scheduler) {
        return new TestHost(folder, chain, settings, Runnable::run, scheduler.asService(), () -> {});
    }

    private TestHost(
            Path folder,
            ChainClient chain,
            String settings,
            Executor executor,
            ScheduledExecutorService scheduler,
            Runnable closing) {
        this.executor = executor;
        this.scheduler = scheduler;
        this.closing = closing;
        this.folder = folder;
        this.chain = chain;
        this.settings = settings;
    }

    @Override
    public String pluginId() {
        return "wallet";
    }

    @Override
    public <R extends Record> R settings(Class<R> type) {
        return type.cast(SETTINGS.computeIfAbsent(settings, text -> SettingsText.read(type, text)));
    }

    @Override
    public Path dataFolder() {
        return folder;
    }

    @Override
    public Set<String> callerNames() {
        return Set.of("demo");
    }

    @Override
    public Set<String> networkNames(String kind) {
        return Set.of("testnet");
    }

    @Override
    public PluginMeters meters() {
        return new NoMeters();
    }

    @Override
    public ScheduledExecutorService scheduler() {
        return scheduler;
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public ChainClient chain() {
        return chain;
    }

    @Override
    public void close() {
        closing.run();
    }

    private static final class NoMeters implements PluginMeters {
        @Override
        public Counter counter(String name, String help) {
            return events -> {};
        }

        @Override
        public void gauge(String name, String help, LongSupplier value) {}

        @Override
        public Timer timer(String name, String help) {
            return (Duration duration) -> {};
        }
    }
}
