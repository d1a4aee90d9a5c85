package io.weir.plugin;

import io.weir.api.NetworkKind;
import io.weir.pipeline.Stage;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginPage;
import io.weir.plugin.call.PluginStage;
import io.weir.upstream.NodeClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The offers of all plugins, by name. Immutable and thread-safe, except {@link #openNode}, which is confined to the
 * thread that owns the host.
 */
public final class PluginCatalogue {

    /** A handler's methods and the stage that calls it. Immutable. */
    private record Served(String pluginId, PluginOffers.Methods offer, Stage stage) {}

    /** A provider and its plugin. Immutable. */
    private record Provided(HostedPlugin plugin, PluginOffers.Nodes offer) {}

    private final List<Served> served = new ArrayList<>();
    private final Map<String, Provided> providers = new TreeMap<>();
    private final Map<String, NetworkKind> kinds = new TreeMap<>();
    private final Map<String, Map<String, PluginPage>> pages = new TreeMap<>();
    private final Map<String, List<PluginOffers.Command>> commands = new TreeMap<>();
    private final Consumer<String> problems;

    /**
     * Combines the offers.
     *
     * @param problems gets one line for each conflict between two plugins
     */
    PluginCatalogue(List<HostedPlugin> plugins, NetworkAccess networks, long maxCallMillis, Consumer<String> problems) {
        this.problems = problems;
        for (HostedPlugin plugin : plugins) {
            addMethods(plugin, networks, maxCallMillis);
            plugin.offers().providers().forEach(offer -> {
                Provided other = providers.putIfAbsent(offer.scheme(), new Provided(plugin, offer));
                if (other != null) {
                    conflict("URL scheme " + offer.scheme(), other.plugin().id(), plugin.id());
                }
            });
            plugin.offers().kinds().forEach(kind -> {
                if (kinds.putIfAbsent(kind.name(), kind) != null) {
                    problems.accept("plugin " + plugin.id() + ": network kind " + kind.name()
                            + ": offered by another plugin too (expected: one of them in plugins.path)");
                }
            });
            Map<String, PluginPage> byPath = new HashMap<>();
            plugin.offers()
                    .pages()
                    .forEach(offer -> byPath.put(offer.path(), new PluginPage(plugin.pageRuntime(), offer.page())));
            pages.put(plugin.id(), byPath);
            commands.put(plugin.id(), plugin.offers().commands());
        }
    }

    private void addMethods(HostedPlugin plugin, NetworkAccess networks, long maxCallMillis) {
        for (PluginOffers.Methods offer : plugin.offers().methods()) {
            for (Served other : served) {
                Set<String> both = new TreeSet<>(other.offer().names());
                both.retainAll(offer.names());
                if (overlap(other.offer().kinds(), offer.kinds())) {
                    both.forEach(name -> conflict("method " + name, other.pluginId(), plugin.id()));
                }
            }
            PluginStage stage = new PluginStage(plugin.runtime(), networks, offer.handler(), maxCallMillis);
            served.add(new Served(plugin.id(), offer, stage));
        }
    }

    private static boolean overlap(Set<String> some, Set<String> others) {
        return some.isEmpty() || others.isEmpty() || some.stream().anyMatch(others::contains);
    }

    private void conflict(String what, String one, String other) {
        problems.accept("plugin " + other + ": " + what + ": offered by plugin " + one
                + " too (expected: one of them in plugins.path)");
    }

    /** Returns the stages that answer methods on networks of a kind, by method. */
    public Map<String, Stage> stages(String kind) {
        Map<String, Stage> stages = new LinkedHashMap<>();
        for (Served one : served) {
            if (one.offer().serves(kind)) {
                one.offer().names().forEach(name -> stages.put(name, one.stage()));
            }
        }
        return stages;
    }

    /** Returns the plugins' kinds of network, by name. {@code ethereum} is not among them. */
    public Map<String, NetworkKind> kinds() {
        return Map.copyOf(kinds);
    }

    public Set<String> schemes() {
        return Set.copyOf(providers.keySet());
    }

    /**
     * Opens a node in this process.
     *
     * @param scheme one of {@link #schemes}
     * @param address the part of the URL after the colon
     * @return a client that closes the node
     * @throws PluginException with one line if the address is unknown, or the plugin fails
     */
    public NodeClient openNode(String scheme, String address) throws PluginException {
        Provided provided = providers.get(scheme);
        if (provided == null) {
            throw new PluginException("url: " + scheme + ": (expected: http, https or a scheme that a plugin has: "
                    + String.join(", ", providers.keySet()) + ")");
        }
        return provided.plugin().openNode(provided.offer(), address);
    }

    /**
     * Returns the page for a path: the one whose own path is the longest prefix of it.
     *
     * @param path below the plugin's, without a slash at either end
     */
    public @Nullable PageMatch page(String pluginId, String path) {
        Map<String, PluginPage> ofPlugin = pages.getOrDefault(pluginId, Map.of());
        String prefix = path;
        while (true) {
            PluginPage page = ofPlugin.get(prefix);
            if (page != null) {
                String rest = path.substring(prefix.length());
                return new PageMatch(page, rest.startsWith("/") ? rest.substring(1) : rest);
            }
            if (prefix.isEmpty()) {
                return null;
            }
            prefix = prefix.substring(0, Math.max(prefix.lastIndexOf('/'), 0));
        }
    }

    /** Returns the links to the pages that people look for: texts by address. */
    public Map<String, String> links() {
        Map<String, String> links = new TreeMap<>();
        pages.forEach((id, byPath) -> byPath.forEach((path, page) -> {
            String text = page.link();
            if (text != null) {
                links.put("/plugins/" + id + "/" + path, text);
            }
        }));
        return links;
    }

    /** Returns a plugin's commands; none if there is no such plugin. */
    public List<PluginOffers.Command> commands(String pluginId) {
        return commands.getOrDefault(pluginId, List.of());
    }

    /**
     * A page for a path. Immutable.
     *
     * @param subPath the part of the path after the page's own
     */
    public record PageMatch(PluginPage page, String subPath) {}
}
