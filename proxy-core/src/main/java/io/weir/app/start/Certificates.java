package io.weir.app.start;

import com.codahale.metrics.Counter;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.config.NetworkConfig;
import io.weir.config.TlsConfig;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.metrics.GaugeScope;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.tls.CertificateSource;
import io.weir.tls.CertificateStatus;
import io.weir.tls.ClientCertificates;
import io.weir.tls.ServerCertificates;
import io.weir.tls.TlsFileException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of a proxy: those of its listeners, and those for its nodes. A thread of its own looks at the files again, at an
 * interval. Thread-safe.
 */
final class Certificates implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

    /** The time between two looks at a file: renewed ones come days before the old ones end, and a look costs little. */
    private static final long REREAD_SECONDS = 10;

    private final Clock clock;
    private final Meters meters;
    private final Counter renewed;
    private final Counter refused;
    private final Map<CertificateSource, Watch> sources = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("weir-certificates", true));
    private @Nullable ServerCertificates server;
    private @Nullable ServerCertificates admin;

    /** A source that is looked at: its timer, and its gauges. Immutable. */
    private record Watch(@Nullable Future<?> timer, GaugeScope gauges) {}

    private Certificates(Clock clock, Meters meters) {
        this.clock = clock;
        this.meters = meters;
        // The timer of a node that is gone would hold its files otherwise until the next interval.
        thread.setRemoveOnCancelPolicy(true);
        this.renewed = meters.counter(Meter.TLS_REREADS, "renewed");
        this.refused = meters.counter(Meter.TLS_REREADS, "refused");
    }

    /**
     * Reads the files of both listeners.
     *
     * @throws TlsFileException if a file cannot be used
     */
    static Certificates read(WeirConfig config, Clock clock, Meters meters) throws TlsFileException {
        Certificates certificates = new Certificates(clock, meters);
        certificates.server =
                certificates.listener("server.tls", config.server().tls(), Set.of(), true);
        certificates.admin = certificates.listener(
                "admin.tls", config.admin().tls(), config.admin().clientCertificates(), false);
        return certificates;
    }

    private @Nullable ServerCertificates listener(String setting, TlsConfig config, Set<String> clients, boolean http2)
            throws TlsFileException {
        if (!config.enabled()) {
            return null;
        }
        ServerCertificates read = new ServerCertificates(setting, config, clients, http2, clock);
        add(read, true);
        show(read);
        return read;
    }

    /**
     * Reads the files for a node, and looks at them until they are forgotten. Their gauges do not show yet. Returns null if no address
     * of the node asks for TLS.
     *
     * @throws IllegalArgumentException if a file cannot be used
     */
    @Nullable
    ClientCertificates node(NetworkConfig network, UpstreamConfig upstream) {
        if (!upstream.usesTls()) {
            return null;
        }
        String setting = "networks." + network.name() + ".upstreams." + upstream.id() + ".tls";
        if (upstream.tls().acceptAnyCertificate()) {
            LOG.warn(
                    "{}.insecure-accept-any-certificate: true: anyone on the path can read and change the calls to this node",
                    setting);
        }
        try {
            ClientCertificates read = new ClientCertificates(setting, upstream.tls(), clock);
            add(read, read.hasFiles());
            return read;
        } catch (TlsFileException e) {
            throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
        }
    }

    private void add(CertificateSource source, boolean watched) {
        GaugeScope gauges = meters.scope();
        for (CertificateStatus status : source.status()) {
            String setting = status.setting();
            gauges.meters().gauge(Meter.TLS_CERTIFICATE_DAYS, () -> days(source, setting), setting);
        }
        Future<?> timer = watched
                ? thread.scheduleWithFixedDelay(
                        () -> OutOfMemory.run(() -> reread(source)), REREAD_SECONDS, REREAD_SECONDS, TimeUnit.SECONDS)
                : null;
        sources.put(source, new Watch(timer, gauges));
    }

    /** Shows the gauges of certificates, in place of others for the same setting. */
    void show(CertificateSource certificates) {
        Watch watch = sources.get(certificates);
        if (watch != null) {
            watch.gauges().show();
        }
    }

    /** Looks no more at the files of a node whose client is closed. */
    void forget(ClientCertificates certificates) {
        Watch watch = sources.remove(certificates);
        if (watch != null) {
            watch.gauges().close();
            if (watch.timer() != null) {
                watch.timer().cancel(false);
            }
        }
    }

    private long days(CertificateSource source, String setting) {
        return source.status().stream()
                .filter(status -> status.setting().equals(setting))
                .mapToLong(status ->
                        Duration.between(clock.instant(), status.notAfter()).toDays())
                .findFirst()
                .orElse(0);
    }

    /** Looks at all files again; blocks. New connections use what could be read. The rest is in the log and in the status. */
    void reread() {
        sources.keySet().forEach(this::reread);
    }

    private void reread(CertificateSource source) {
        CertificateSource.Look look;
        try {
            look = source.reread();
        } catch (RuntimeException e) {
            // A timer that throws would never run again.
            LOG.warn("certificates were not read again", e);
            return;
        }
        look.renewed().forEach(setting -> {
            renewed.inc();
            LOG.info("{}: new connections use the renewed files", setting);
        });
        look.problems().forEach(problem -> {
            refused.inc();
            LOG.warn("{}; the certificate in use stays", problem);
        });
    }

    /** Returns the certificates in use, in the order of their settings. */
    List<CertificateStatus> status() {
        return sources.keySet().stream()
                .flatMap(source -> source.status().stream())
                .sorted(Comparator.comparing(CertificateStatus::setting))
                .toList();
    }

    /** Returns those of the JSON-RPC listener, or null without TLS. */
    @Nullable
    ServerCertificates server() {
        return server;
    }

    /** Returns those of the admin listener, or null without TLS. */
    @Nullable
    ServerCertificates admin() {
        return admin;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
