package io.weir.plugin.load;

import io.weir.api.WeirPlugin;
import java.nio.file.Path;

/**
 * A plugin whose classes are there and whose entrance is known; none of its code has run. Immutable.
 *
 * @param source where it was found
 * @param classes its class loader
 * @param entrance the class that its index names
 */
public record LoadedPlugin(
        String id, String version, Path source, ClassLoader classes, Class<? extends WeirPlugin> entrance) {}
