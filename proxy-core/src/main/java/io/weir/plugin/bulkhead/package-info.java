/**
 * The threads on which plugins' code runs, parted so that no plugin takes them from the others, and the log of what fails there.
 * Knows nothing of calls. Start at {@link io.weir.plugin.bulkhead.PluginExecutor}.
 */
@NullMarked
package io.weir.plugin.bulkhead;

import org.jspecify.annotations.NullMarked;
