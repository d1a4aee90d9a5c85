package io.weir.app.start;

import io.weir.api.EthereumKind;
import io.weir.api.NetworkKind;
import io.weir.api.setting.NearestName;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.AgreeConfig;
import io.weir.config.UpstreamConfig;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.network.NetworkAssembly;
import io.weir.pipeline.agree.Agreements;
import io.weir.plugin.PluginCatalogue;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The checks of networks that need the plugins: their kinds, chain ids and URL schemes; and of the names of methods. */
final class NetworkCheck {

    private static final Set<String> HTTP = Set.of("http", "https");
    private static final Set<String> WEB_SOCKET = Set.of("ws", "wss");
    /** The blocks that name costs by method. */
    private static final Set<String> COSTS = Set.of("weighted", "costs", "per-second");
    /** Letters by which a misspelt method differs from a known one. */
    private static final int MISSPELT = 2;

    private NetworkCheck() {}

    /** Returns the kinds of network: Ethereum's, and those of plugins. */
    static Map<String, NetworkKind> kinds(PluginCatalogue plugins) {
        Map<String, NetworkKind> kinds = new TreeMap<>(plugins.kinds());
        NetworkKind ethereum = new EthereumKind();
        kinds.put(ethereum.name(), ethereum);
        return kinds;
    }

    static boolean isHttp(UpstreamConfig upstream) {
        return HTTP.contains(scheme(upstream.address()));
    }

    static boolean isWebSocket(UpstreamConfig upstream) {
        return WEB_SOCKET.contains(scheme(upstream.address()));
    }

    private static String scheme(URI url) {
        return url.getScheme().toLowerCase(Locale.ROOT);
    }

    /** Returns the problems of these networks, one line each. */
    static List<String> problems(Collection<NetworkConfig> networks, Sources sources, PluginCatalogue plugins) {
        Map<String, NetworkKind> kinds = kinds(plugins);
        Set<String> schemes = new TreeSet<>(plugins.schemes());
        schemes.addAll(HTTP);
        List<String> problems = new ArrayList<>();
        for (NetworkConfig network : networks) {
            checkKind(network, kinds, sources, problems);
            checkAgreement(network, kinds.get(network.kind()), sources, problems);
            for (UpstreamConfig upstream : network.upstreams().values()) {
                URI url = upstream.url();
                String scheme = url == null ? null : scheme(url);
                if (scheme != null && !schemes.contains(scheme)) {
                    List<String> path = List.of("networks", network.name(), "upstreams", upstream.id());
                    String rule = "a URL of one of the schemes " + String.join(", ", schemes);
                    problems.add(problem(sources, path, "url", scheme + ":…", rule));
                }
            }
        }
        return problems;
    }

    private static void checkKind(
            NetworkConfig network, Map<String, NetworkKind> kinds, Sources sources, List<String> problems) {
        List<String> path = List.of("networks", network.name());
        NetworkKind kind = kinds.get(network.kind());
        if (kind == null) {
            problems.add(problem(sources, path, "kind", network.kind(), "one of " + String.join(", ", kinds.keySet())));
            return;
        }
        try {
            kind.normaliseChainId(network.chainId());
        } catch (IllegalArgumentException e) {
            String rule = "a chain id as the kind " + kind.name() + " writes it";
            problems.add(problem(sources, path, "chain-id", network.chainId(), rule));
        }
    }

    /** Agreement needs enough nodes, and methods whose calls several of them may get. Inherited settings count too. */
    private static void checkAgreement(
            NetworkConfig network, @Nullable NetworkKind kind, Sources sources, List<String> problems) {
        AgreeConfig agree = network.agree();
        if (agree.methods().isEmpty() || kind == null) {
            return;
        }
        List<String> path = List.of("networks", network.name(), "agree");
        int nodes = network.upstreams().size();
        if (agree.of() > nodes) {
            problems.add(problem(
                    sources, path, "of", agree.of(), "at most the number of the network's upstreams, " + nodes));
        }
        MethodCatalogue catalogue = NetworkAssembly.catalogue(kind);
        for (String method : agree.methods()) {
            if (!method.endsWith("*") && !Agreements.isPossible(catalogue.facts(method), agree)) {
                problems.add(problem(sources, path, "methods", method, "methods that are safe to repeat"));
            }
        }
    }

    /** Returns a line for each method in a block of costs that is unknown, and nearly has the name of a known one. */
    static List<String> notes(Sources sources, PluginCatalogue plugins) {
        Set<String> methods = new TreeSet<>();
        kinds(plugins).forEach((name, kind) -> {
            methods.addAll(plugins.stages(name).keySet());
            NetworkAssembly.catalogue(kind).all().forEach(facts -> methods.add(facts.name()));
        });
        List<Problem> notes = new ArrayList<>();
        for (List<String> path : sources.written()) {
            String method = path.get(path.size() - 1);
            boolean known = MethodCatalogue.listsName(method) || methods.contains(method);
            boolean cost = path.size() > 1 && COSTS.contains(path.get(path.size() - 2));
            String nearest = known || !cost ? null : NearestName.nearest(method, methods);
            if (nearest != null && NearestName.distance(method, nearest) <= MISSPELT) {
                notes.add(sources.atName(path, "unknown method", "a known method; did you mean " + nearest + "?"));
            }
        }
        return notes.stream().sorted().map(Problem::toString).toList();
    }

    private static String problem(Sources sources, List<String> block, String name, Object value, String rule) {
        List<String> path = new ArrayList<>(block);
        path.add(name);
        return sources.atName(path, String.valueOf(value), rule).toString();
    }
}
