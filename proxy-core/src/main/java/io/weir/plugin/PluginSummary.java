package io.weir.plugin;

import java.nio.file.Path;
import java.util.List;

/**
 * A plugin in a few words, for the command line. Immutable; every list is sorted.
 *
 * @param source the jar, zip or folder that it came from
 * @param methods JSON-RPC methods that it answers
 * @param schemes URL schemes of its nodes
 * @param kinds kinds of network that it knows
 * @param pages paths of its admin pages
 * @param commands names of its commands
 */
public record PluginSummary(
        String id,
        String version,
        Path source,
        List<String> methods,
        List<String> schemes,
        List<String> kinds,
        List<String> pages,
        List<String> commands) {}
