package io.weir.plugin.load;

import io.weir.api.WeirPlugin;
import java.nio.file.Path;

/**
 * A plugin with loaded classes and a known entry class, none of whose code has run. Immutable.
 *
 * @param source its jar, zip or folder
 * @param classes its class loader
 * @param entryClass the class that its index names
 */
public record LoadedPlugin(
        String id, String version, Path source, ClassLoader classes, Class<? extends WeirPlugin> entryClass) {}
