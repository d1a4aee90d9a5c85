package io.weir.plugin;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.api.LocalNode;
import io.weir.api.NetworkKind;
import io.weir.api.WeirPlugin;
import io.weir.plugin.call.LocalNodeClient;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginRuntime;
import io.weir.plugin.load.LoadedPlugin;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One plugin and its life: each step once, each guarded. Confined to the thread that owns the host. */
final class HostedPlugin implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HostedPlugin.class);
    private static final PluginOffers NOTHING = new PluginOffers(List.of(), List.of(), List.of(), List.of(), List.of());

    /** One that takes longer takes the time from the calls that are to be answered meanwhile. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(1);

    private final LoadedPlugin loaded;
    private final PluginRuntime quarters;
    private final Duration stepLimit;
    private final StepRunner steps;
    private @Nullable HostContext context;
    private @Nullable WeirPlugin plugin;
    private boolean started;
    private final List<LocalNodeClient> nodes = new ArrayList<>();
    private PluginOffers offers = NOTHING;

    /**
     * Takes a plugin whose code has not run yet.
     *
     * @param stepLimit how long each of its steps may take
     */
    HostedPlugin(LoadedPlugin loaded, PluginRuntime quarters, Duration stepLimit) {
        this.loaded = loaded;
        this.quarters = quarters;
        this.stepLimit = stepLimit;
        this.steps = new StepRunner(loaded.id(), loaded.classes());
    }

    String id() {
        return loaded.id();
    }

    ClassLoader classes() {
        return loaded.classes();
    }

    PluginRuntime quarters() {
        return quarters;
    }

    /** What it offers; nothing before {@link #prepare} has succeeded. */
    PluginOffers offers() {
        return offers;
    }

    /**
     * Creates, provisions and validates it, and asks for its offers.
     *
     * @throws PluginException when a step fails, or the plugin finds its settings wrong
     */
    void prepare(PluginHost.Setup setup, NetworkAccess gates) throws PluginException {
        Config block = setup.config().settings().getOrDefault(id(), ConfigFactory.empty());
        PluginSettings settings = PluginSettings.read(id(), loaded.classes(), block, setup.sources());
        WeirPlugin created = steps.run("create", stepLimit, this::create);
        plugin = created;
        HostContext given = new HostContext(
                quarters, settings.all(), setup.config().data(), setup.meters(), gates, setup.callMillis());
        context = given;
        steps.run("provision", stepLimit, () -> {
            created.provision(given);
            return true;
        });
        List<String> wrong = steps.run("validate", stepLimit, () -> List.copyOf(created.validate()));
        if (!wrong.isEmpty()) {
            throw new PluginException(wrong.stream()
                    .map(line -> PluginSettings.placed(id(), line, setup.sources()))
                    .toList());
        }
        OfferReader reader = new OfferReader(created, quarters.log());
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
            return loaded.entrance().getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new ExecutionException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(loaded.entrance().getName()
                    + " (expected: a public class with a public constructor without parameters)");
        }
    }

    /**
     * Lets it begin its work in the background.
     *
     * @throws PluginException when it cannot
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

    /** Tells it that the proxy stops; goes on whatever it throws, and after a short while whatever it does. */
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
     * @throws PluginException when the address names nothing, or the plugin fails
     */
    LocalNodeClient openNode(PluginOffers.Nodes offer, String address) throws PluginException {
        LocalNode node = steps.run("open " + offer.scheme() + ":" + address, stepLimit, () -> {
            LocalNode opened = offer.provider().open(address);
            if (opened == null) {
                throw new IllegalStateException("it gave null (expected: a node)");
            }
            return opened;
        });
        LocalNodeClient client = new LocalNodeClient(quarters, node);
        nodes.add(client);
        return client;
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

    /** Has it give back everything, and takes away what the host gave; goes on whatever it throws. */
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
        if (context != null) {
            context.close();
        } else {
            quarters.close();
        }
        steps.close();
        nodes.clear();
        plugin = null;
        offers = NOTHING;
    }
}
