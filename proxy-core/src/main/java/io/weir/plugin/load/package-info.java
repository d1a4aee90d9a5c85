/**
 * Finding plugins on disk and loading their classes: descriptors, staged copies, isolated class loaders, and the index
 * with a plugin's entry class. A plugin sees only the shared classes of the host. This is the only package that uses
 * PF4J's machinery. Knows nothing of calls or settings. Start at {@link io.weir.plugin.load.LoadedPlugins}.
 */
@NullMarked
package io.weir.plugin.load;

import org.jspecify.annotations.NullMarked;
