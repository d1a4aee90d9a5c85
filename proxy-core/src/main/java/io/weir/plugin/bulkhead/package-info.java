/**
 * The threads of plugins' code, divided so that no plugin can take them from the others, and the log of its failures.
 * Knows nothing of calls. Start at {@link io.weir.plugin.bulkhead.PluginExecutor}.
 */
@NullMarked
package io.weir.plugin.bulkhead;

import org.jspecify.annotations.NullMarked;
