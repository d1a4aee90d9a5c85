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
 * What all plugins offer together, found by name. Immutable; all but {@link #openNode} thread-safe, which belongs to the thread
 * that owns the host.
 */
public final class PluginCatalogue {

    /** A handler's methods and the stage in front of it. */
    private record Served(String pluginId, PluginOffers.Methods offer, Stage stage) {}

    /** A provider and whose it is. */
    private record Provided(HostedPlugin plugin, PluginOffers.Nodes offer) {}

    private final List<Served> served = new ArrayList<>();
    private final Map<String, Provided> providers = new TreeMap<>();
    private final Map<String, NetworkKind> kinds = new TreeMap<>();
    private final Map<String, Map<String, PluginPage>> pages = new TreeMap<>();
    private final Map<String, List<PluginOffers.Command>> commands = new TreeMap<>();
    private final Consumer<String> problems;

    /**
     * Puts the offers together.
     *
     * @param problems takes one line for each thing that two plugins offer
     */
    PluginCatalogue(List<HostedPlugin> plugins, NetworkAccess gates, long maxCallMillis, Consumer<String> problems) {
        this.problems = problems;
        for (HostedPlugin plugin : plugins) {
            addMethods(plugin, gates, maxCallMillis);
            plugin.offers().providers().forEach(offer -> {
                Provided other = providers.putIfAbsent(offer.scheme(), new Provided(plugin, offer));
                if (other != null) {
                    twice("URL scheme " + offer.scheme(), other.plugin().id(), plugin.id());
                }
            });
            plugin.offers().kinds().forEach(kind -> {
                if (kinds.putIfAbsent(kind.name(), kind) != null) {
                    problems.accept("plugin " + plugin.id() + ": network kind " + kind.name()
                            + ": offered by another plugin too (expected: one of them, see plugins.disabled)");
                }
            });
            Map<String, PluginPage> byPath = new HashMap<>();
            plugin.offers()
                    .pages()
                    .forEach(offer -> byPath.put(offer.path(), new PluginPage(plugin.quarters(), offer.page())));
            pages.put(plugin.id(), byPath);
            commands.put(plugin.id(), plugin.offers().commands());
        }
    }

    private void addMethods(HostedPlugin plugin, NetworkAccess gates, long maxCallMillis) {
        for (PluginOffers.Methods offer : plugin.offers().methods()) {
            for (Served other : served) {
                Set<String> both = new TreeSet<>(other.offer().names());
                both.retainAll(offer.names());
                if (overlap(other.offer().kinds(), offer.kinds())) {
                    both.forEach(name -> twice("method " + name, other.pluginId(), plugin.id()));
                }
            }
            PluginStage stage = new PluginStage(plugin.quarters(), gates, offer.handler(), maxCallMillis);
            served.add(new Served(plugin.id(), offer, stage));
        }
    }

    private static boolean overlap(Set<String> some, Set<String> others) {
        return some.isEmpty() || others.isEmpty() || some.stream().anyMatch(others::contains);
    }

    private void twice(String what, String one, String other) {
        problems.accept("plugin " + other + ": " + what + ": offered by plugin " + one
                + " too (expected: one of them, see plugins.disabled)");
    }

    /** The stages that answer methods on networks of a kind, by method. */
    public Map<String, Stage> stages(String kind) {
        Map<String, Stage> stages = new LinkedHashMap<>();
        for (Served one : served) {
            if (one.offer().serves(kind)) {
                one.offer().names().forEach(name -> stages.put(name, one.stage()));
            }
        }
        return stages;
    }

    /** The kinds of network that plugins know, by name; {@code ethereum} is not among them. */
    public Map<String, NetworkKind> kinds() {
        return Map.copyOf(kinds);
    }

    /** The URL schemes behind which plugins have nodes. */
    public Set<String> schemes() {
        return Set.copyOf(providers.keySet());
    }

    /**
     * Opens a node in this process.
     *
     * @param scheme one of {@link #schemes}
     * @param address what follows the colon in the URL
     * @return a client that closes the node
     * @throws PluginException when the address names nothing, or the plugin fails, in one line
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
     * The page that a path names: the one with the longest path of its own that the given one begins with.
     *
     * @param path below the plugin's, without a slash at either end
     */
    public @Nullable PageMatch page(String pluginId, String path) {
        Map<String, PluginPage> ofPlugin = pages.getOrDefault(pluginId, Map.of());
        String head = path;
        while (true) {
            PluginPage page = ofPlugin.get(head);
            if (page != null) {
                String rest = path.substring(head.length());
                return new PageMatch(page, rest.startsWith("/") ? rest.substring(1) : rest);
            }
            if (head.isEmpty()) {
                return null;
            }
            head = head.substring(0, Math.max(head.lastIndexOf('/'), 0));
        }
    }

    /** A plugin's commands; none where there is no such plugin. */
    public List<PluginOffers.Command> commands(String pluginId) {
        return commands.getOrDefault(pluginId, List.of());
    }

    /**
     * A page that was found.
     *
     * @param subPath what of the path follows the page's own
     */
    public record PageMatch(PluginPage page, String subPath) {}
}
