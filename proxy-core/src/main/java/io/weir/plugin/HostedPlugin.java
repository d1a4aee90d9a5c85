package io.weir.plugin;

import io.weir.api.LocalNode;
import io.weir.api.NetworkKind;
import io.weir.api.WeirPlugin;
import io.weir.metrics.OutOfMemory;
import io.weir.plugin.call.LocalNodeClient;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginRuntime;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One plugin and its life cycle: each step runs once, guarded. Confined to the thread that owns the host. */
final class HostedPlugin implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HostedPlugin.class);
    private static final PluginOffers NOTHING = new PluginOffers(List.of(), List.of(), List.of(), List.of(), List.of());

    /** A slower drain would use up the time of the calls in flight. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(1);

    private final LoadedPlugins.Loaded loaded;
    private final PluginRuntime runtime;
    private final PluginRuntime pageRuntime;
    private final Duration stepLimit;
    private final StepRunner steps;
    private @Nullable PluginSettings settings;
    private @Nullable HostContext context;
    private @Nullable WeirPlugin plugin;
    private boolean started;
    private final List<LocalNodeClient> nodes = new ArrayList<>();
    private PluginOffers offers = NOTHING;

    /**
     * @param pageRuntime the resources of its pages, apart from those of its calls
     * @param stepLimit time limit for each of its steps
     */
    HostedPlugin(LoadedPlugins.Loaded loaded, PluginRuntime runtime, PluginRuntime pageRuntime, Duration stepLimit) {
        this.loaded = loaded;
        this.runtime = runtime;
        this.pageRuntime = pageRuntime;
        this.stepLimit = stepLimit;
        this.steps = new StepRunner();
    }

    String id() {
        return loaded.id();
    }

    ClassLoader classes() {
        return loaded.classes();
    }

    PluginRuntime runtime() {
        return runtime;
    }

    PluginRuntime pageRuntime() {
        return pageRuntime;
    }

    /** Returns its offers; none before {@link #prepare} has succeeded. */
    PluginOffers offers() {
        return offers;
    }

    /**
     * Creates, provisions and validates the plugin, and reads its offers.
     *
     * @throws PluginException if a step fails, or the plugin reports problems with its settings
     */
    void prepare(PluginHost.Setup setup, NetworkAccess networks) throws PluginException {
        PluginSettings block =
                new PluginSettings(id(), setup.config().settings().get(id()), setup.sources());
        settings = block;
        WeirPlugin created = steps.run("create", stepLimit, this::create);
        plugin = created;
        HostContext given = new HostContext(
                runtime, block, setup.names(), setup.config().data(), setup.meters(), networks, setup.callMillis());
        context = given;
        try {
            steps.run("provision", stepLimit, () -> {
                created.provision(given);
                return true;
            });
        } catch (PluginException e) {
            block.throwProblems();
            throw e;
        }
        block.throwProblems();
        block.checkRead();
        List<String> wrong = steps.run("validate", stepLimit, () -> List.copyOf(created.validate()));
        if (!wrong.isEmpty()) {
            throw new PluginException(wrong.stream().map(block::located).toList());
        }
        OfferReader reader = new OfferReader(created, runtime.log());
        PluginOffers read = steps.run("offers", stepLimit, reader::read);
        if (!reader.problems().isEmpty()) {
            throw new PluginException(reader.problems().stream()
                    .map(line -> "plugin " + id() + ": " + line)
                    .toList());
        }
        offers = read;
    }

    private WeirPlugin create() throws Exception {
        try {
            return loaded.entryClass().getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new ExecutionException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(loaded.entryClass().getName()
                    + " (expected: a public class with a public constructor without parameters)");
        }
    }

    /**
     * Starts its background work.
     *
     * @throws PluginException if it cannot start
     */
    void start() throws PluginException {
        WeirPlugin prepared = plugin;
        if (prepared == null) {
            throw new IllegalStateException("start: " + id() + " (expected: after prepare)");
        }
        steps.run("start", stepLimit, () -> {
            prepared.start();
            return true;
        });
        started = true;
    }

    /** Returns what the plugin says that will not work as configured, each by file and line. */
    List<String> warnings() {
        WeirPlugin prepared = plugin;
        PluginSettings block = settings;
        if (prepared == null || block == null) {
            return List.of();
        }
        try {
            return steps.run("warnings", stepLimit, () -> List.copyOf(prepared.warnings())).stream()
                    .map(block::located)
                    .toList();
        } catch (PluginException e) {
            return e.problems();
        }
    }

    /** Notifies it of the shutdown. Continues whatever it throws, and after a short time whatever it does. */
    void drain() {
        WeirPlugin running = plugin;
        if (running == null || !started) {
            return;
        }
        try {
            steps.run("drain", DRAIN_LIMIT, () -> {
                running.drain();
                return true;
            });
        } catch (PluginException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    /**
     * Opens one of its nodes.
     *
     * @throws PluginException if the address is unknown, or the plugin fails
     */
    LocalNodeClient openNode(PluginOffers.Nodes offer, String address) throws PluginException {
        LocalNode node = steps.run("open " + offer.scheme() + ":" + address, stepLimit, () -> {
            LocalNode opened = offer.provider().open(address);
            if (opened == null) {
                throw new IllegalStateException("it gave null (expected: a node)");
            }
            return opened;
        });
        LocalNodeClient client = new LocalNodeClient(runtime, node);
        nodes.removeIf(LocalNodeClient::isClosed);
        nodes.add(client);
        return client;
    }

    /** Returns its settings in force as lines of a file; if wanted, only those that differ from the defaults. */
    List<String> settingLines(boolean changed) {
        return settings == null ? List.of() : settings.lines(changed);
    }

    PluginSummary summary() {
        return new PluginSummary(
                id(),
                loaded.version(),
                loaded.source(),
                sorted(offers.methods().stream().flatMap(offer -> offer.names().stream())),
                sorted(offers.providers().stream().map(PluginOffers.Nodes::scheme)),
                sorted(offers.kinds().stream().map(NetworkKind::name)),
                sorted(offers.pages().stream().map(PluginOffers.Page::path)),
                sorted(offers.commands().stream().map(PluginOffers.Command::name)));
    }

    private static List<String> sorted(Stream<String> names) {
        return names.distinct().sorted().toList();
    }

    /** Closes the plugin and releases the host's resources. Continues whatever it throws. */
    @Override
    public void close() {
        WeirPlugin created = plugin;
        if (created != null) {
            try {
                steps.run("close", stepLimit, () -> {
                    nodes.forEach(LocalNodeClient::closeNode);
                    created.close();
                    return true;
                });
            } catch (PluginException e) {
                LOG.warn("{}", e.getMessage());
            }
        }
        pageRuntime.close();
        if (context != null) {
            context.close();
        } else {
            runtime.close();
        }
        steps.close();
        nodes.clear();
        plugin = null;
        offers = NOTHING;
    }

    /**
     * Runs the steps of one plugin's life cycle on a separate thread that can be abandoned. A step that throws or does not
     * end is a problem of its plugin, not of the host. Confined to the thread that owns the host.
     */
    private final class StepRunner implements AutoCloseable {

        private ExecutorService thread = newThread();

        /**
         * Runs a step.
         *
         * @throws PluginException with one line if it fails
         */
        <T> T run(String step, Duration limit, Callable<T> code) throws PluginException {
            Future<T> task = thread.submit(() -> described(step, code));
            try {
                return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                throw cause instanceof PluginException described
                        ? described
                        : failed(step, cause.getClass().getName());
            } catch (TimeoutException e) {
                giveUp();
                throw failed(step, "did not end within " + limit.toSeconds() + " s");
            } catch (InterruptedException e) {
                giveUp();
                Thread.currentThread().interrupt();
                throw failed(step, "interrupted");
            }
        }

        /** Describes a failure on the plugin's thread, because the text of an exception is plugin code too. */
        private <T> T described(String step, Callable<T> code) throws PluginException {
            try {
                return code.call();
            } catch (Throwable e) {
                OutOfMemory.check(e);
                // A constructor's own failure is wrapped.
                Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                LOG.debug("plugin {}: {}", loaded.id(), step, cause);
                throw failed(step, message(cause));
            }
        }

        private void giveUp() {
            thread.shutdownNow();
            thread = newThread();
        }

        private ExecutorService newThread() {
            return Executors.newSingleThreadExecutor(task -> {
                Thread made = new Thread(null, task, "weir-plugin-" + loaded.id() + "-life", 0, false);
                made.setDaemon(true);
                made.setContextClassLoader(loaded.classes());
                return made;
            });
        }

        private PluginException failed(String step, String reason) {
            return new PluginException("plugin " + loaded.id() + ": " + step + ": " + reason);
        }

        /** Returns the plugin's own message for the operator if it chose one, else the kind of failure. */
        private static String message(Throwable failure) {
            String text = failure.getMessage();
            boolean chosen = failure instanceof Exception
                    && !(failure instanceof NullPointerException)
                    && !(failure instanceof ReflectiveOperationException)
                    && !(failure instanceof ClassCastException);
            return chosen && text != null && !text.isBlank()
                    ? text.lines().findFirst().orElse("")
                    : PluginException.reason(failure);
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }
}
