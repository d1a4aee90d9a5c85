package io.weir.plugin;

import io.weir.api.AdminPage;
import io.weir.api.MethodHandler;
import io.weir.api.NetworkKind;
import io.weir.api.PluginCommand;
import io.weir.api.UpstreamProvider;
import java.util.List;
import java.util.Set;

/**
 * One plugin's offers, each read once and checked. Immutable.
 *
 * @param methods its handlers
 * @param providers its nodes
 * @param kinds its kinds of network
 * @param pages its admin pages
 * @param commands its commands
 */
public record PluginOffers(
        List<Methods> methods,
        List<Nodes> providers,
        List<NetworkKind> kinds,
        List<Page> pages,
        List<Command> commands) {

    /**
     * A handler. Immutable.
     *
     * @param names the methods that it serves
     * @param kinds the kinds of network that it serves; empty for all
     */
    public record Methods(MethodHandler handler, Set<String> names, Set<String> kinds) {

        public boolean serves(String kind) {
            return kinds.isEmpty() || kinds.contains(kind);
        }
    }

    /**
     * A provider of nodes. Immutable.
     *
     * @param scheme of its URLs
     */
    public record Nodes(UpstreamProvider provider, String scheme) {}

    /**
     * An admin page. Immutable.
     *
     * @param path below the plugin's own
     */
    public record Page(AdminPage page, String path) {}

    /**
     * A command. Immutable.
     *
     * @param name the word that calls it
     * @param description its effect
     */
    public record Command(PluginCommand command, String name, String description) {}
}
