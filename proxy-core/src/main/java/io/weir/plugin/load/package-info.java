/**
 * Finding plugins on disk and loading their classes: the only package that sees PF4J's machinery. Descriptors, staged copies,
 * class loaders that show a plugin nothing of the host but what is shared, and the index that names a plugin's entrance.
 * Knows nothing of calls or settings. Start at {@link io.weir.plugin.load.LoadedPlugins}.
 */
@NullMarked
package io.weir.plugin.load;

import org.jspecify.annotations.NullMarked;
