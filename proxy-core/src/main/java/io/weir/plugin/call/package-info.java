/**
 * Calls between the host and a plugin's code. The guard ends each call exactly once and in time. The threads are divided so that no
 * plugin can take them from the others. The adapters connect the plugin API with stages, nodes and pages. Knows nothing of the
 * discovery of plugins. Start at {@link io.weir.plugin.call.GuardedCall}.
 */
@NullMarked
package io.weir.plugin.call;

import org.jspecify.annotations.NullMarked;
