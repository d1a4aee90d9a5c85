package io.weir.plugin;

import java.nio.file.Path;
import java.util.List;

/**
 * A short description of a plugin, for the command line. Every list is sorted. Immutable.
 *
 * @param source its jar, zip or folder
 * @param methods JSON-RPC methods that it answers
 * @param schemes URL schemes of its nodes
 * @param kinds its kinds of network
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
