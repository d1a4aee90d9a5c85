package io.weir.app.start;

import io.weir.config.NetworkConfig;
import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import io.weir.tls.ClientCertificates;
import io.weir.tls.ServerCertificates;
import io.weir.tls.TlsFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The check of the files of certificates and keys. Confined to one thread. */
final class TlsCheck {

    private final Sources sources;
    private final Collection<Problem> known;
    private final List<String> problems = new ArrayList<>();

    private TlsCheck(Sources sources, Collection<Problem> known) {
        this.sources = sources;
        this.known = known;
    }

    /**
     * Returns one line for each file that cannot be used.
     *
     * @param known problems of the settings: certificates with one of them are not checked
     */
    static List<String> problems(WeirConfig config, Sources sources, Collection<Problem> known) {
        TlsCheck check = new TlsCheck(sources, known);
        check.listener(List.of("server", "tls"), config.server().tls(), Set.of());
        check.listener(
                List.of("admin", "tls"), config.admin().tls(), config.admin().clientCertificates());
        for (NetworkConfig network : config.networks().values()) {
            for (UpstreamConfig upstream : network.upstreams().values()) {
                check.node(List.of("networks", network.name(), "upstreams", upstream.id(), "tls"), upstream);
            }
        }
        return check.problems;
    }

    /** Returns a line for each host of a network that no certificate of the JSON-RPC listener names. */
    static List<String> notes(WeirConfig config) {
        List<String> notes = new ArrayList<>();
        if (config.server().tls().enabled()) {
            try {
                ServerCertificates certificates =
                        new ServerCertificates("server.tls", config.server().tls(), Set.of(), false, Clock.systemUTC());
                for (NetworkConfig network : config.networks().values()) {
                    network.hosts().stream()
                            .filter(host -> !certificates.covers(host))
                            .sorted()
                            .forEach(host -> notes.add("networks." + network.name() + ".hosts: " + host
                                    + " (now: no certificate of server.tls names it)"));
                }
            } catch (TlsFileException e) {
                notes.add(e.getMessage());
            }
        }
        return notes;
    }

    private void listener(List<String> path, TlsConfig config, Set<String> clients) {
        config.certificates().forEach((name, files) -> {
            List<String> certificate = with(with(path, "certificates"), name);
            TlsConfig one = new TlsConfig(Map.of(name, files), config.protocols(), config.clientCa());
            try {
                if (isUsable(certificate) && isUsable(with(path, "client-ca"))) {
                    new ServerCertificates("", one, clients, false, Clock.systemUTC());
                }
            } catch (TlsFileException e) {
                boolean ca = e.file().equals(config.clientCa());
                add(ca ? with(path, "client-ca") : with(certificate, setting(e.file(), files, "chain")), e);
            }
        });
    }

    private void node(List<String> path, UpstreamConfig upstream) {
        try {
            if (upstream.usesTls() && isUsable(path)) {
                new ClientCertificates("", upstream.tls(), Clock.systemUTC());
            }
        } catch (TlsFileException e) {
            boolean ca = e.file().equals(upstream.tls().ca());
            add(with(path, ca ? "ca" : setting(e.file(), upstream.tls().client(), "certificate")), e);
        }
    }

    private static String setting(Path file, @Nullable KeyFiles files, String chain) {
        return files != null && file.equals(files.key()) ? "key" : chain;
    }

    private void add(List<String> path, TlsFileException e) {
        String line =
                sources.atName(path, e.file() + ": " + e.found(), e.rule()).toString();
        if (!problems.contains(line)) {
            problems.add(line);
        }
    }

    private boolean isUsable(List<String> path) {
        String rendered = Sources.render(path);
        return known.stream()
                .map(Problem::path)
                .noneMatch(problem -> problem.equals(rendered) || problem.startsWith(rendered + "."));
    }

    private static List<String> with(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
