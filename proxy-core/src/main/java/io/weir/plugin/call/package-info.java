/**
 * Calls that go into a plugin's code and come out again: the guard that ends each call exactly once and in time,
 * and the adapters from the plugin API to stages, nodes and pages. Knows nothing of how plugins are found. Start at {@link io.weir.plugin.call.GuardedCall}.
 */
@NullMarked
package io.weir.plugin.call;

import org.jspecify.annotations.NullMarked;
