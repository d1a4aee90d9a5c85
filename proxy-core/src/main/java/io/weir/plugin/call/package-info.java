/**
 * Calls between the host and a plugin's code: the guard that ends each call exactly once and in time, and the adapters
 * from the plugin API to stages, nodes and pages. Knows nothing of the discovery of plugins. Start at {@link
 * io.weir.plugin.call.GuardedCall}.
 */
@NullMarked
package io.weir.plugin.call;

import org.jspecify.annotations.NullMarked;
