package io.weir.app.start;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoopGroup;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.admin.AdminListener;
import io.weir.admin.AdminRoutes;
import io.weir.admin.Reload;
import io.weir.admin.StatusReport;
import io.weir.api.NetworkKind;
import io.weir.cache.memory.ResultMemory;
import io.weir.config.ServerConfig;
import io.weir.config.TlsConfig;
import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.SharingConfig;
import io.weir.config.load.ConfigLoader;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.PrometheusExposition;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.NetworkAssembly;
import io.weir.network.NetworkInternalCalls;
import io.weir.network.Readiness;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import io.weir.sharing.SharedLimits;
import io.weir.tracing.CallTracer;
import io.weir.tracing.otlp.OtlpTracer;
import io.weir.transport.Listener;
import io.weir.transport.SocketTransport;
import io.weir.transport.log.AccessWriter;
import io.weir.transport.request.ListenerContext;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.link.SocketNodeClient;
import io.weir.upstream.link.StreamLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running proxy: listeners, networks and plugins, assembled once and closed once. Thread-safe. */
public final class Proxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

    private final Listener listener;
    private final AdminListener admin;
    private final Readiness readiness;
    private final ConfigReload reload;
    private final PluginHost plugins;
    private final Deque<AutoCloseable> parts;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Proxy(
            Listener listener,
            AdminListener admin,
            Readiness readiness,
            ConfigReload reload,
            PluginHost plugins,
            Deque<AutoCloseable> parts) {
        this.listener = listener;
        this.admin = admin;
        this.readiness = readiness;
        this.reload = reload;
        this.plugins = plugins;
        this.parts = parts;
    }

    /**
     * Starts everything. Waits for no node.
     *
     * @param file read again at each reload
     * @param opened its plugins are not started yet; closed with the proxy, and if the start fails
     * @throws StartupException if it cannot start; nothing is left running then
     */
    static Proxy start(ConfigFile file, ConfigFile.Opened opened, Meters meters)
            throws StartupException, PluginException {
        Deque<AutoCloseable> parts = new ArrayDeque<>();
        parts.push(opened.plugins());
        try {
            WeirConfig config = opened.loaded().config();
            Budget bytes = new Budget(config.server().load().bytes());
            return new Assembly(config, opened.plugins(), meters, bytes, parts).build(file, opened.loaded());
        } catch (StartupException | PluginException | RuntimeException | Error e) {
            closeAll(parts);
            throw e;
        } catch (Exception e) {
            closeAll(parts);
            throw new StartupException(List.of(Failures.oneLine(e)));
        }
    }

    /** Returns the URL of the JSON-RPC listener. */
    public String url() {
        return url(listener.localAddress(), config().server().tls());
    }

    public String adminUrl() {
        return url(admin.localAddress(), config().admin().tls());
    }

    private WeirConfig config() {
        return readiness.current().get().config();
    }

    private static String url(InetSocketAddress address, TlsConfig tls) {
        // All addresses of a machine have a form of eight zeros too, which nobody configures.
        boolean all = address.getAddress().isAnyLocalAddress();
        return tls.url(all ? "0.0.0.0" : address.getAddress().getHostAddress(), address.getPort());
    }

    /** Waits until the proxy is closed. */
    public void awaitClose() throws InterruptedException {
        closed.await();
    }

    /** Reads the configuration file anew, because of a signal. Returns at once; the log tells the result. */
    public void reload() {
        reload.request(Reload.Cause.SIGNAL);
    }

    /**
     * Fails health checks, serves for {@code server.drain-delay}, so that balancers see it, accepts no more connections, answers the calls
     * in flight for at most {@code server.drain}, and closes everything.
     */
    @Override
    public void close() {
        readiness.drain();
        LOG.info("draining");
        reload.close();
        ServerConfig config = config().server();
        long drainMillis = config.drainMillis();
        try {
            TimeUnit.MILLISECONDS.sleep(config.drainDelayMillis());
            CompletableFuture<Void> answered = listener.drain(drainMillis);
            plugins.drain();
            answered.get(drainMillis + 1_000, TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            LOG.warn("drain ended early: {}", Failures.oneLine(e));
        }
        closeAll(parts);
        LOG.info("closed");
        closed.countDown();
    }

    private static void closeAll(Deque<AutoCloseable> parts) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.warn("closing failed: {}", Failures.oneLine(e));
            }
        }
    }

    /**
     * The assembly of a proxy, from the inside out. Each part that needs closing is pushed as soon as it exists.
     * Confined to the starting thread.
     */
    private record Assembly(
            WeirConfig config, PluginHost plugins, Meters meters, Budget bytes, Deque<AutoCloseable> parts) {

        Proxy build(ConfigFile file, ConfigLoader.Loaded loaded) throws Exception {
            SocketTransport transport = SocketTransport.best();
            EventLoopGroup loops = transport.loops(config.server().threads(), "weir-loop");
            parts.push(() -> loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await());
            ResultMemory memory = ResultMemory.of(
                    config.cache(), bytes, meters, Tiers.open(config.cache().tiers(), meters));
            parts.push(memory);
            UnitLedger ledger = ledger();
            Certificates certificates = Certificates.read(config, Clock.systemUTC(), meters);
            parts.push(certificates);
            SocketNodeClient.Resources sockets = new SocketNodeClient.Resources(
                    loops, transport.clientChannel(), bytes, new StreamLimit(StreamLimit.MAX, meters));
            LiveNetworks live = networks(sockets, certificates, memory, ledger);
            LiveNetworks.Candidates first = live.build(config.networks().values());
            live.serve(first);
            Map<String, Network> networks = first.networks();
            KeyAccounts accounts = new KeyAccounts(meters, ledger, config.sharing() != null);
            HashedKeyRing keys = HashedKeyRing.of(config.access(), accounts);
            CurrentGeneration current = new CurrentGeneration(new Generation(config, keys, networks));
            StatusReport.Program program = program(certificates, sharing(current, ledger));
            ConfigReload.Running running = new ConfigReload.Running(current, live, plugins.catalogue(), certificates);
            ConfigReload reload = new ConfigReload(file, loaded, keys, running, meters);
            Readiness readiness = new Readiness(current);
            meters.gauge(Meter.READY, () -> readiness.ready() ? 1 : 0);
            plugins.start(new NetworkInternalCalls(current, loops));
            live.start(first, 0);
            parts.push(reload);
            reload.watch();
            AdminListener admin = AdminListener.bind(
                    config.admin(),
                    transport,
                    routes(readiness, memory, reload, program),
                    certificates.admin(),
                    meters);
            parts.push(admin);
            Listener listener = Listener.bind(
                    transport,
                    loops,
                    listenerContext(readiness, networks.values(), accessLog()),
                    certificates.server(),
                    meters);
            parts.push(listener);
            LOG.info("serving {} by {}", networks.keySet(), transport.name());
            readiness.serve();
            return new Proxy(listener, admin, readiness, reload, plugins, parts);
        }

        /** Opens the record of the units that nodes cost and keys used. It closes after the nodes. */
        private UnitLedger ledger() throws IOException {
            Path folder = config.server().data();
            UnitLedger ledger = folder == null
                    ? UnitLedger.inMemory(System::currentTimeMillis)
                    : UnitLedger.open(folder, System::currentTimeMillis);
            parts.push(ledger);
            return ledger;
        }

        /** Opens the export of traces; returns null if it is off. It closes after the networks. */
        private @Nullable CallTracer tracer() {
            String endpoint = config.tracing().endpoint();
            if (endpoint == null) {
                return null;
            }
            CallTracer tracer = OtlpTracer.open(endpoint, config.tracing(), meters);
            parts.push(tracer);
            return tracer;
        }

        private LiveNetworks networks(
                SocketNodeClient.Resources sockets, Certificates certificates, ResultMemory memory, UnitLedger ledger) {
            EventLoopGroup loops = sockets.loops();
            NodeClients clients = new NodeClients(plugins.catalogue(), sockets, certificates, meters);
            NetworkAssembly assembly = new NetworkAssembly(
                    loops, meters, clients::client, plugins.catalogue()::stages, memory, config, ledger);
            assembly.tracedBy(tracer());
            Map<String, NetworkKind> kinds = NetworkCheck.kinds(plugins.catalogue());
            LiveNetworks networks = new LiveNetworks(
                    assembly,
                    clients,
                    network -> Objects.requireNonNull(kinds.get(network.kind()), "kind"),
                    loops,
                    meters);
            parts.push(networks);
            return networks;
        }

        private @Nullable SharedLimits sharing(CurrentGeneration current, UnitLedger ledger) {
            SharingConfig sharing = config.sharing();
            if (sharing == null) {
                return null;
            }
            SharedLimits limits =
                    SharedLimits.start(sharing, () -> current.get().keys().sharedRates(), ledger, meters);
            parts.push(limits);
            return limits;
        }

        private StatusReport.Program program(Certificates certificates, @Nullable SharedLimits sharing) {
            return new StatusReport.Program(Version.text(), plugins.summaries(), certificates::status, sharing);
        }

        private AdminRoutes routes(
                Readiness readiness, ResultMemory memory, Reload reload, StatusReport.Program program) {
            StatusReport status =
                    new StatusReport(program, Clock.systemUTC(), readiness.current(), memory, meters, reload);
            return new AdminRoutes(
                    status, readiness, new PrometheusExposition(meters, Version.text()), plugins.catalogue(), reload);
        }

        /** Opens the access log; returns null if it is off. It closes after the listener, whose last answers it still records. */
        private @Nullable AccessWriter accessLog() throws IOException {
            Path file = config.server().accessLog();
            Counter dropped = meters.counter(Meter.ACCESS_LOG_DROPPED);
            if (file == null) {
                return null;
            }
            AccessWriter writer = AccessWriter.open(file, dropped);
            parts.push(writer);
            return writer;
        }

        private ListenerContext listenerContext(
                Readiness readiness, Collection<Network> networks, @Nullable AccessWriter log) {
            List<String> methods = networks.stream()
                    .flatMap(network -> network.plans().methods().stream())
                    .toList();
            return ListenerContext.of(config.server(), readiness, NameTable.of(methods), bytes, log, meters);
        }
    }
}
